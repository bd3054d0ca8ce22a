import { describe, expect, it } from "vitest";
import { splitWords } from "../../../../../harness/cli/turns/words.ts";

describe("splitWords", () => {
  it.each([
    ["", []],
    ["  --rate   600 ", ["--rate", "600"]],
    ["--job-time 'constant(3s)' --lock=\"my lock\"", ["--job-time", "constant(3s)", "--lock=my lock"]],
    ["a\\ b '' \"\"", ["a b", "", ""]],
    [`--faults "latency(delay=3ms), jitter(base='1ms')"`, ["--faults", "latency(delay=3ms), jitter(base='1ms')"]],
  ])("%j", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it("refuses a quote that is not closed", () => {
    expect(() => splitWords("--lock 'a")).toThrow("is not closed");
  });
});
