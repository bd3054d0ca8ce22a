import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { resolveCode } from "../../../../../harness/cli/library/code-options.ts";
import type { LockRunOptions } from "../../../../../harness/cli/library/run-lock.ts";
import { lockTable } from "../../../../../harness/cli/lock-request.ts";

const resolveLock = (given: LockRunOptions, cwd = "/") =>
  resolveCode(lockTable, given, { caller: "runLock", section: "lock", cwd });

test("values are those of the command; a number for a duration is in ms", async () => {
  const { options } = await resolveLock({
    ttl: 1_500,
    duration: "4s",
    rate: "20/s",
    keys: 3,
    ack: "after",
    lock: ["set-nx", new URL("file:///locks/mine.ts")],
    faults: { name: "redis-pause", at: "1s", for: "2s" },
    allowFaultsOnExternal: true,
  });
  expect(options.values).toMatchObject({
    ttl: 1_500,
    duration: 4_000,
    rate: { perMinute: 1_200 },
    keys: 3,
    ack: "after",
    lock: ["set-nx", "/locks/mine.ts"],
    faults: ['{"name":"redis-pause","at":"1s","for":"2s"}'],
    allowFaultsOnExternal: true,
    reporter: ["html"],
    workers: 4,
  });
  expect(options.origins.ttl).toEqual({ kind: "code", detail: "runLock: ttl" });
});

test("a file counts only when it is named; a preset fills what nobody gave", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "harness.config.json"), '{ "lock": { "workers": 7, "ttl": "3s" } }');
  const { options: without } = await resolveLock({ preset: "incident" }, folder);
  expect(without.values).toMatchObject({ rate: { perMinute: 600 }, ttl: 15_000 });
  const { options } = await resolveLock({ config: "harness.config.json", ttl: "9s" }, folder);
  expect(options.values).toMatchObject({ workers: 7, ttl: 9_000 });
});

test.each([
  [{ wrokers: 4 }, 'runLock has no option "wrokers". Did you mean "workers"?'],
  [{ json: true }, 'runLock has no option "json".'],
  [{ ttl: "15" }, 'runLock: ttl 15: "15" has no unit'],
  [{ ack: "never" }, 'runLock: ack never: "never" is no choice.'],
  [{ job: () => {} }, "runLock: job is a function: leave it out, or give a value."],
  [{ job: null }, "runLock: job is null: leave it out, or give a value."],
])("%j is refused", async (given, message) => {
  await expect(resolveLock(given as LockRunOptions)).rejects.toThrow(message);
});
