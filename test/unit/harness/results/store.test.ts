import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UsageError } from "../../../../harness/errors.ts";
import { assembleLockResult } from "../../../../harness/results/assemble-lock.ts";
import { readStoredRun, recheck } from "../../../../harness/results/recheck.ts";
import { parseResult, resultJsonSchema } from "../../../../harness/results/result-schema.ts";
import { serializePlan } from "../../../../harness/results/serialize-plan.ts";
import { createRunFolder, readResult, resultText, sha256 } from "../../../../harness/results/store.ts";
import { upgrade } from "../../../../harness/results/upgrade.ts";
import { headline } from "../../../../reports/lock/sentences.ts";
import { execution, milestone, planOf, runOf } from "../checks/hand-written.ts";
import { meta } from "./meta.ts";

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "holdfast-store-"));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const startedAt = new Date("2026-01-02T03:04:05.678Z");
const plan = planOf();
const early = assembleLockResult({ plan, armRounds: [], findings: [], meta: { ...meta, interrupted: "not yet run" } });

describe("run folder", () => {
  test("is named by kind, UTC time and a short id", () => {
    const first = createRunFolder({ out: join(out, "deep", "er"), kind: "lock", startedAt });
    expect(first.id).toMatch(/^lock-20260102T030405Z-[0-9a-f]{6}$/);
    expect(first.path).toBe(join(out, "deep", "er", first.id));
    expect(readdirSync(first.path)).toEqual([]);
  });

  test("latest points to the newest that can be read, and a run that never began leaves nothing", () => {
    const latest = () => readlinkSync(join(out, "latest"));
    const first = createRunFolder({ out, kind: "lock", startedAt });
    expect(latest).toThrow(/ENOENT/);
    first.writeResult(early);
    expect(latest()).toBe(first.id);
    const second = createRunFolder({ out, kind: "lock", startedAt });
    expect(latest()).toBe(first.id);
    second.writeResult(early);
    expect(latest()).toBe(second.id);
    second.discard();
    expect(latest()).toBe(first.id);
    first.discard();
    expect(readdirSync(out)).toEqual([]);
  });

  test("holds the plan, the same bytes for the same plan, and their hash", () => {
    const folder = createRunFolder({ out, kind: "lock", startedAt });
    const { file, sha256: hash } = folder.writePlan(plan);
    const text = readFileSync(join(folder.path, file), "utf8");
    expect(text).toBe(serializePlan(planOf()));
    expect(hash).toBe(sha256(text));
  });

  test("holds the result of each phase, whole, and nothing half-written beside it", () => {
    const folder = createRunFolder({ out, kind: "lock", startedAt });
    folder.writeResult(early);
    expect(readResult(folder.path)).toMatchObject({ status: "interrupted", statusReason: "Not yet run." });
    folder.writeResult({ ...early, status: "passed" });
    expect(readResult(join(folder.path, "result.json")).status).toBe("passed");
    expect(readdirSync(folder.path)).toEqual(["result.json"]);
  });

  test("refuses a result with NaN or Infinity rather than write it", () => {
    for (const durationMs of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => resultText({ ...early, durationMs })).toThrow();
    }
    expect(resultText(early)).not.toMatch(/NaN|Infinity/);
  });

  test("an --out that cannot be written to is refused with the path", () => {
    const file = join(out, "file");
    writeFileSync(file, "");
    expect(() => createRunFolder({ out: join(file, "x"), kind: "lock" })).toThrow(UsageError);
    expect(() => createRunFolder({ out: join(file, "x"), kind: "lock" })).toThrow(
      /cannot be written to .*file.*--out/s,
    );
    const locked = join(out, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    // The superuser may write anywhere.
    if (process.getuid?.() !== 0) expect(() => createRunFolder({ out: locked, kind: "lock" })).toThrow(UsageError);
  });
});

describe("reading results", () => {
  test("nothing there, no JSON, no result, a broken one: each says what is wrong", () => {
    expect(() => readResult(join(out, "nothing"))).toThrow(/There is no result at .*nothing/);
    expect(() => parseResult("{", "r.json")).toThrow(/r\.json is no result that can be read/);
    expect(() => parseResult("{}", "r.json")).toThrow(/r\.json is no result: it is without the "schema"/);
    const broken = JSON.stringify({ ...early, status: "maybe" });
    expect(() => parseResult(broken, "r.json")).toThrow(/r\.json is no result that can be read: status: /);
  });

  test("a newer one is refused with a message", () => {
    const newer = JSON.stringify({ ...early, schema: "harness.result/2" });
    expect(() => parseResult(newer, "r.json")).toThrow(/version 2; this build reads up to version 1/);
  });

  test("an older one is upgraded step by step", () => {
    const steps = {
      1: (result: Record<string, unknown>) => ({ ...result, colour: "red" }),
      2: ({ colour, ...rest }: Record<string, unknown>) => ({ ...rest, color: colour }),
    };
    expect(upgrade({ schema: "harness.result/1" }, "r", { steps, version: 3 })).toEqual({
      schema: "harness.result/3",
      color: "red",
    });
    expect(() => upgrade({ schema: "harness.result/1" }, "r", { steps: {}, version: 2 })).toThrow(/no longer be read/);
  });

  test("the JSON Schema describes results", () => {
    const schema = JSON.stringify(resultJsonSchema());
    expect(schema).toContain('"$schema":"https://json-schema.org/draft/2020-12/schema"');
    for (const field of ["statusReason", "duplicateRate95", "acquireOutsideFaults", "evidence"]) {
      expect(schema).toContain(`"${field}"`);
    }
  });
});

describe("checking a stored run again", () => {
  const events = [
    ...execution({ worker: 1, acquire: [0, 10], release: [500] }),
    ...execution({ worker: 2, attempt: 2, acquire: [90, 100], release: [300] }),
  ];

  test("of an interrupted run, from its journals: still interrupted, its findings found", async () => {
    const folder = createRunFolder({ out, kind: "lock", startedAt });
    folder.writePlan(plan);
    folder.writeResult(early);
    mkdirSync(join(folder.path, "journals"));
    for (const worker of [1, 2]) {
      const lines = events.filter((event) => event.worker === worker).map((event) => `${JSON.stringify(event)}\n`);
      writeFileSync(join(folder.path, "journals", `${worker}.ndjson`), `${lines.join("")}{"torn`);
    }
    const run = await readStoredRun(folder.path);
    expect(run).toMatchObject({ plan, merged: false });
    expect(run.armRounds).toEqual(runOf(events).armRounds);
    expect(run.torn).toHaveLength(2);

    const { result } = await recheck(folder.path, { lookOf: meta.lookOf });
    expect(result.findings[0]).toMatchObject({ check: "exclusion", class: "broken promise" });
    expect(result.status).toBe("interrupted");
    expect(result.statusReason).toContain("Not yet run. Until then: set-nx: exclusion (broken promise), 1 x");
    folder.writeResult(result);
    const again = await recheck(folder.path, { lookOf: meta.lookOf });
    expect(again.result).toEqual(result);
  });

  describe("of a whole run, whose history has been shortened since", () => {
    const header = {
      schema: "harness.history/1",
      runId: "x",
      startedAt: startedAt.toISOString(),
      startedAtMonotonicNs: "0",
    };
    const whole = [
      ...execution({ worker: 1, acquire: [0, 10], effect: [20, 30], release: [500] }),
      milestone(600, "drained"),
    ];
    const of = (arm: string) => whole.map((event) => JSON.stringify({ ...event, arm }));
    const lines = [JSON.stringify(header), ...plan.arms.flatMap(({ name }) => of(name))];
    const checked = async (text: string) => {
      const folder = createRunFolder({ out, kind: "lock", startedAt });
      folder.writePlan({ ...plan, rounds: [{ round: 1, order: [0, 1], arrivals: [], faults: [] }] });
      const { armRounds } = runOf(whole);
      const all = plan.arms.flatMap(({ name }) => armRounds.map((each) => ({ ...each, arm: name })));
      folder.writeResult(assembleLockResult({ plan, armRounds: all, findings: [], meta }));
      writeFileSync(join(folder.path, "history.ndjson"), text);
      return (await recheck(folder.path, { lookOf: meta.lookOf })).result;
    };

    test("nothing is said of one that is whole", async () => {
      expect((await checked(`${lines.join("\n")}\n`)).statusReason).not.toContain("history");
    });

    test.each([
      ["", "The history is empty"],
      [`${lines[0]}\n`, "The history is empty"],
      [`${lines.slice(1).join("\n")}\n`, "its first line is missing"],
      [`${lines.join("\n")}\n{"atNs":7`, "its last line is torn"],
      [`${lines.slice(0, -1).join("\n")}\n`, "1 of 2 rounds have no end (of set-nx)"],
      [
        `${lines.filter((line) => !line.includes('"effect"')).join("\n")}\n`,
        "it holds less of none than the run recorded",
      ],
    ])("unknown, with the reason: %#", async (text, reason) => {
      const result = await checked(text);
      expect(result.status).toBe("unknown");
      expect(result.statusReason).toContain(reason);
      expect(headline(result)).toBe("No verdict.");
    });
  });

  test("a plan that is broken or missing is named", async () => {
    const folder = createRunFolder({ out, kind: "lock", startedAt });
    await expect(readStoredRun(folder.path)).rejects.toThrow(/There is no plan at .*plan\.json/);
    writeFileSync(join(folder.path, "plan.json"), JSON.stringify({ ...plan, ack: "sometimes" }));
    await expect(readStoredRun(folder.path)).rejects.toThrow(UsageError);
  });
});
