import { describe, expect, test } from "vitest";
import { createProgress, formatProgress } from "../../../../harness/cli/progress.ts";

const state = {
  phase: "round 2 of 3, set-nx",
  elapsedMs: 65_400,
  totalMs: 90_000,
  rate: { perSecond: 19.87, unit: "jobs" },
  violations: 0,
  faults: ["redis-pause node:1", "latency"],
};

describe("a line of progress", () => {
  test("says phase, time, rate, violations and the faults in force", () => {
    expect(formatProgress(state)).toBe(
      "round 2 of 3, set-nx · 1:05 of 1:30 · 19.9 jobs/s · 0 violations · redis-pause node:1 + latency",
    );
    expect(formatProgress({ phase: "starting", elapsedMs: 3_723_000, violations: 1 })).toBe(
      "starting · 1:02:03 · 1 violation",
    );
    expect(formatProgress({ phase: "x", elapsedMs: 0, rate: { perSecond: 51_234, unit: "schedules" } })).toContain(
      "51,234 schedules/s",
    );
  });

  test("leaves out what does not fit", () => {
    expect(formatProgress(state, 40)).toBe("round 2 of 3, set-nx · 1:05 of 1:30");
    expect(formatProgress(state, 10)).toBe("round 2 of");
  });
});

function recorder(options: { inPlace: boolean; quiet?: boolean }) {
  let written = "";
  const time = { ms: 0 };
  const progress = createProgress({
    write: (text) => {
      written += text;
    },
    ...{ quiet: false, ...options },
    width: 80,
    now: () => time.ms,
  });
  return { progress, time, written: () => written };
}

describe("showing it", () => {
  test("on a terminal the one line is drawn over again, and taken away at the end", () => {
    const { progress, time, written } = recorder({ inPlace: true });
    progress.update({ phase: "a", elapsedMs: 0 });
    time.ms = 50;
    progress.update({ phase: "a", elapsedMs: 50 });
    time.ms = 1_000;
    progress.update({ phase: "a", elapsedMs: 1_000 });
    progress.note("a message");
    progress.end();
    expect(written()).toBe("\r\u001b[2Ka · 0:00\r\u001b[2Ka · 0:01\r\u001b[2Ka message\n");
  });

  test("elsewhere there is a plain line for each phase and every few seconds", () => {
    const { progress, time, written } = recorder({ inPlace: false });
    for (time.ms = 0; time.ms <= 11_000; time.ms += 500) progress.update({ phase: "a", elapsedMs: time.ms });
    progress.update({ phase: "b", elapsedMs: 11_500 });
    // Phases that follow each other quickly do not flood a log.
    for (const phase of ["c", "d", "e"]) progress.update({ phase, elapsedMs: 11_600 });
    progress.end();
    expect(written()).toBe("a · 0:00\na · 0:05\na · 0:10\nb · 0:11\n");
  });

  test("quiet shows no progress, but messages", () => {
    const { progress, written } = recorder({ inPlace: true, quiet: true });
    progress.update({ phase: "a", elapsedMs: 0 });
    progress.note("interrupted");
    expect(written()).toBe("interrupted\n");
  });
});
