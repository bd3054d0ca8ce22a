import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../harness/contracts/history.ts";
import { type LockRun, runLock } from "./run-harness.ts";

/** A short run: one round, jobs that take no time to speak of. */
const quick = (jobTime: string) => [
  ...["--rounds", "1", "--duration", "2s", "--workers", "2", "--rate", "600", "--job-time", `constant(${jobTime})`],
  ...["--visibility", "500ms"],
];

function eventsOf({ folder }: LockRun, arm: string): HistoryEvent[] {
  const lines = readFileSync(join(folder, "history.ndjson"), "utf8").trimEnd().split("\n").slice(1);
  return lines.map((line) => JSON.parse(line) as HistoryEvent).filter((event) => event.arm === arm);
}

const faultErrors = ({ result }: LockRun) => result.faults.flatMap(({ error }) => error ?? []);

describe("a fault on a command is in force when the command is applied and its client does not know it", () => {
  test("a worker killed between the two commands of an acquire leaves a key without a TTL behind", async () => {
    const trouble = 'worker-kill(on=command(SETNX, "*lock:*"), nth=3, target=worker:1)';
    const run = await runLock([
      ...quick("20ms"),
      "--lock",
      "broken-setnx-then-pexpire",
      "--ttl",
      "300ms",
      "--faults",
      trouble,
    ]);
    expect(faultErrors(run)).toEqual([]);
    const events = eventsOf(run, "broken-setnx-then-pexpire");
    const kill = events.find(({ op }) => op === "fault")!;
    const asked = events.filter(({ op, phase, worker }) => op === "acquire" && phase === "invoke" && worker === 1);
    const answered = events.filter(({ op, phase, worker, incarnation }) => {
      return op === "acquire" && phase !== "invoke" && worker === 1 && incarnation === 1;
    });
    const first = asked.filter(({ incarnation }) => incarnation === 1);
    expect(first.length).toBeGreaterThan(answered.length);
    expect(kill.atNs).toBeGreaterThan(first.at(-1)!.atNs);
    // The key stays for ever, so its job is never done.
    expect(run.result.findings.map(({ check }) => check)).toContain("lost work");
  });

  test("SCRIPT FLUSH between acquire and release, and a worker stopped before it learns of its grant", async () => {
    const trouble =
      'redis-script-flush(on=command(SET NX, "*lock:*"), nth=2), ' +
      'worker-stop(on=command(SET NX, "*lock:*"), nth=4, target=worker:2, for=500ms)';
    const run = await runLock([...quick("20ms"), "--faults", trouble]);
    expect(faultErrors(run)).toEqual([]);
    expect(run.result.faults.filter(({ arm }) => arm === "set-nx").every(({ injectedAtMs }) => injectedAtMs)).toBe(
      true,
    );
    const events = eventsOf(run, "set-nx");
    const [stop, resume] = events.filter(({ op, detail }) => op === "fault" && detail?.name === "worker-stop");
    const during = (event: HistoryEvent) => event.atNs > stop!.atNs && event.atNs < resume!.atNs;
    // It had asked before it was stopped, and heard of it after.
    const mine = events.filter(({ op, worker }) => op === "acquire" && worker === 2);
    expect(mine.filter(during)).toEqual([]);
    const open = mine.filter(({ atNs, phase }) => phase === "invoke" && atNs < stop!.atNs).at(-1)!;
    const answer = mine.find(({ phase, execution }) => phase !== "invoke" && execution === open.execution)!;
    expect(answer.atNs).toBeGreaterThan(resume!.atNs);
    // NOSCRIPT is answered by sending the script: no release failed.
    expect(events.filter(({ op, phase }) => op === "release" && phase === "fail")).toEqual([]);
  });

  test("on=extend comes with the first renewal", async () => {
    const trouble = "redis-pause(on=extend, for=100ms)";
    const args = ["--lock", "set-nx-renewing", "--ttl", "600ms", "--faults", trouble];
    const run = await runLock([...quick("400ms"), ...args]);
    expect(faultErrors(run)).toEqual([]);
    const pause = run.result.faults.find(({ arm }) => arm === "set-nx-renewing")!;
    expect(pause.injectedAtMs).toBeGreaterThan(190);
  });
});

describe("two clients see different majorities of five nodes", () => {
  // client:1 reaches 1, 2, 3 and client:2 reaches 3, 4, 5: node 3 decides.
  const split = "partition(a=client:1, b=node:4+node:5), partition(a=client:2, b=node:1+node:2)";
  const quorum = ["--topology", "redlock", "--lock", "redlock", "--keys", "1", "--ttl", "10s", "--on-skip", "drop"];
  // Whoever has no lock asks again every 100 ms, for as long as the first hold lasts.
  const load = ["--rounds", "1", "--duration", "1s", "--workers", "2", "--rate", "600", "--arrivals", "constant"];
  const args = [...load, ...quorum, "--job-time", "constant(1500ms)", "--concurrency", "1", "--no-control"];
  const overlaps = ({ result }: LockRun) =>
    result.findings
      .filter(({ check, arm }) => check === "exclusion" && arm === "redlock")
      .map(({ class: kind }) => kind);

  test.each([
    // After the grant: what is set after the jump does not expire by it, and a node that is away at the vote does not count.
    ["a clock that jumps", "redis-clock(step=+20s, target=node:3, on=grant)"],
    ["a node that forgets", "redis-restart(target=node:3, on=grant)"],
  ])("%s breaks Redlock", async (_, fault) => {
    const run = await runLock([...args, "--faults", `${split}, ${fault}`]);
    expect(faultErrors(run)).toEqual([]);
    expect(overlaps(run)).toEqual(["broken assumption"]);
  });

  test("without it the lock holds", async () => {
    const run = await runLock([...args, "--faults", split]);
    expect(faultErrors(run)).toEqual([]);
    expect(overlaps(run)).toEqual([]);
  });
});
