import { expect, test } from "vitest";
import { HEADER, KIND } from "../../../../../harness/converge/plan/event.ts";
import { WorldLab } from "../../../../../harness/converge/run/lab.ts";
import { Runner } from "../../../../../harness/converge/run/runner.ts";
import { documentAdapter } from "../../../../fixtures/converge/document.ts";

/** A lab over a world in which region 0 did something that region 1 has not heard of. */
function lab() {
  const runner = new Runner(documentAdapter(), { regions: 3, maxEvents: 1 });
  const schedule = Int32Array.from([...new Array(HEADER).fill(0), KIND.operation, 0, 0, 0]);
  expect(runner.run(schedule, false, { skipsFinish: true })).toBeUndefined();
  return new WorldLab(runner.world, false);
}

test("what one law asked of a replica, the next is given again", () => {
  const bench = lab();
  const encoding = bench.encodings[0] as string;
  expect(bench.full(bench.original(0))).toBe(bench.full(bench.original(0)));
  expect(bench.message(encoding, 0, 1)).toBe(bench.message(encoding, 0, 1));
  expect(bench.full(bench.copy(0))).not.toBeUndefined();
});

test("a copy that took one message and was only looked at serves once more, for the same message", () => {
  const bench = lab();
  const message = bench.full(bench.original(0));
  const copy = bench.fed(1, message);
  expect(copy?.value()).toEqual(bench.original(0).value());
  expect(bench.original(1).value()).not.toEqual(copy?.value());
  bench.keep(1, copy!, message);
  expect(bench.fed(1, bench.full(bench.original(2)))).not.toBe(copy);
  expect(bench.fed(2, message)).not.toBe(copy);
  expect(bench.fed(1, message)).toBe(copy);
  expect(bench.fed(1, message)).not.toBe(copy);
});

test("no copy has taken a message that there is not", () => {
  expect(lab().fed(1, undefined)).toBeUndefined();
});
