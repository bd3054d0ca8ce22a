import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { renderLockTerminal } from "../../../../reports/terminal/lock.ts";
import { columns } from "../../../../reports/terminal/text.ts";
import { hostileLockResult, lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";

const options = { colour: false, width: 110, folder: "harness-results/lock-20260131T120005Z-k3xq9a" };

describe("the terminal report of a lock run", () => {
  it("puts findings that fail before those that any lock has", () => {
    const inherent = { ...overlapFinding(), check: "duplicates", class: "inherent", inherent: true };
    const text = renderLockTerminal(lockResult({ findings: [inherent, overlapFinding()] }), options);
    expect(text.indexOf("✗ exclusion")).toBeLessThan(text.indexOf("• duplicates"));
    expect(text).toContain("any lock has it");
  });

  it("shows ten findings and says how many more there are", () => {
    const text = renderLockTerminal(
      lockResult({ findings: Array.from({ length: 30 }, () => overlapFinding()) }),
      options,
    );
    expect(text.match(/✗ exclusion/g)).toHaveLength(10);
    expect(text).toContain("20 more findings are in the report");
  });

  it("says what helps against what was found, and nothing of it when nothing was", () => {
    const notes = [
      { topic: "ack", text: "Acknowledge before the release." },
      { topic: "lock-worth-it", text: "No lock is needed." },
    ];
    const failed = lockResult({ status: "failed", findings: [overlapFinding()] });
    const text = renderLockTerminal({ ...failed, advice: { ...failed.advice, notes } }, options);
    expect(text).toMatch(/What helps\n\nAcknowledge before the release\./);
    expect(text).not.toContain("No lock is needed.");
    const passed = lockResult();
    const calm = renderLockTerminal({ ...passed, advice: { ...passed.advice, notes } }, options);
    expect(calm).not.toContain("What helps");
  });

  it("says how many rounds a comparison of this result takes", () => {
    const result = lockResult();
    const text = renderLockTerminal({ ...result, advice: { ...result.advice, roundsForComparison: 9 } }, options);
    expect(text).toContain("To compare this result with another takes 9 rounds");
  });

  it("keeps to verdict, table, findings, cost and where to look: reach and most advice are in the report", () => {
    const text = renderLockTerminal(lockResult(), options);
    const after = text.slice(text.indexOf("set-nx costs"));
    expect(after.trim().split("\n").length).toBeLessThan(10);
    expect(text).not.toContain("Worth a lock");
    expect(text).toContain("The article: the text on Redis locks");
  });

  it("claims nothing about safety when there were no faults", () => {
    expect(renderLockTerminal(lockResult({ faults: false }), options)).toContain("says nothing about safety");
  });

  it.each([40, 80, 110, 200])("keeps to %s columns", (width) => {
    const failed = lockResult({ status: "failed", locks: ["set-nx", "my-lock"], findings: [overlapFinding()] });
    const lines = renderLockTerminal(failed, { ...options, width }).split("\n");
    const tooLong = lines.filter((line) => columns(line) > Math.max(width, 50) && !/^(Again|Report): /.test(line));
    expect(tooLong).toEqual([]);
  });

  it("is plain text without colour and the same text with it", () => {
    const plain = renderLockTerminal(lockResult(), options);
    const coloured = renderLockTerminal(lockResult(), { ...options, colour: true });
    expect(plain).not.toContain("\u001b");
    expect(coloured).toContain("\u001b[");
    const words = (text: string) => stripVTControlCharacters(text).trim().split(/\s+/);
    expect(words(coloured)).toEqual(words(plain));
  });

  it("lets no terminal escape of a name, an error or a note through", () => {
    const text = renderLockTerminal(hostileLockResult(), options);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text.length).toBeLessThan(40_000);
  });
});
