import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, onTestFinished, test } from "vitest";
import { exclusion } from "../../harness/checks/exclusion.ts";
import type { HistoryEvent } from "../../harness/contracts/history.ts";
import { freePort } from "../../harness/redis/free-port.ts";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { readStoredRun, type StoredRun } from "../../harness/results/recheck.ts";
import { bin, folderForTest, latestRun, startHarness, until } from "./run-harness.ts";

/** The other host's CLOCK_MONOTONIC is so much ahead, s. */
const AHEAD_S = 100_000;
const token = "token-of-this-test";

function works(...command: [string, ...string[]]): boolean {
  try {
    execFileSync(command[0], command.slice(1), { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const canSkew = works("unshare", "--time", "--monotonic", String(AHEAD_S), "true");
const skewed = canSkew ? ["unshare", "--time", "--monotonic", String(AHEAD_S)] : [];

/** A host of its own: a network namespace behind a pair of virtual cables. Undefined where it cannot be made. */
function makeHost(): { address: string; enter: string[] } | undefined {
  const name = `hf${process.pid}`;
  const [near, far] = ["10.231.77.1", "10.231.77.2"];
  const ip = (...args: string[]) => works("ip", ...args);
  const remove = () => ip("netns", "del", name) && ip("link", "del", `${name}a`);
  const made =
    ip("netns", "add", name) &&
    ip("link", "add", `${name}a`, "type", "veth", "peer", "name", `${name}b`, "netns", name) &&
    ip("addr", "add", `${near}/30`, "dev", `${name}a`) &&
    ip("link", "set", `${name}a`, "up") &&
    ip("-n", name, "addr", "add", `${far}/30`, "dev", `${name}b`) &&
    ip("-n", name, "link", "set", `${name}b`, "up") &&
    ip("-n", name, "link", "set", "lo", "up");
  onTestFinished(() => void remove());
  return made ? { address: near, enter: ["ip", "netns", "exec", name] } : undefined;
}

/** A run with one worker here and one on another host, both after one key. */
async function runJoined(args: readonly string[], host = "127.0.0.1", enter: readonly string[] = []) {
  const cwd = folderForTest();
  const port = await freePort(host);
  const env = { HARNESS_JOIN_TOKEN: token };
  const fixed = ["--workers", "2", "--remote-workers", "1", "--join-host", host, "--join-port", String(port)];
  const [file, ...rest] = [...enter, ...skewed, process.execPath, bin, "worker", "--join", `${host}:${port}`] as const;
  const joining = execa(file!, rest, { cwd, env, reject: false });
  onTestFinished(() => void joining.kill("SIGKILL"));
  const run = await execa(process.execPath, [bin, "lock", "--json", ...fixed, ...args], { cwd, env, reject: false });
  if (run.stdout === "") throw new Error(`harness lock ended with ${run.exitCode}: ${run.stderr}`);
  const joined = await joining;
  const result = lockResultSchema.parse(JSON.parse(run.stdout));
  return { run, joined, result, stored: await readStoredRun(latestRun(cwd)) };
}

const eventsOf = ({ armRounds }: StoredRun) => armRounds.flatMap(({ events }) => events);
const clocksOf = (stored: StoredRun) =>
  eventsOf(stored).filter(({ op, outcome }) => op === "worker" && outcome === "clock");
const busy = [
  "--keys",
  "1",
  "--concurrency",
  "1",
  "--visibility",
  "500ms",
  "--duration",
  "2s",
  "--rounds",
  "1",
  "--seed",
  "5",
];

/** The same history as if the other host's clock had been laid on wrongly, and nobody knew. */
function laidWrong(stored: StoredRun, byMs: number): StoredRun {
  const change = (event: HistoryEvent): HistoryEvent =>
    event.worker === 2 ? { ...event, atNs: event.atNs + byMs * 1e6 } : event;
  return {
    ...stored,
    armRounds: stored.armRounds.map((armRound) => ({
      ...armRound,
      events: armRound.events
        .filter(({ outcome }) => outcome !== "clock")
        .map(change)
        .sort((a, b) => a.atNs - b.atNs),
    })),
  };
}

/** How long before the nearest grant of the first worker the second one had its own, ms. */
function apartMs(grants: readonly HistoryEvent[]): number {
  const [here = [], there = []] = [1, 2].map((worker) => grants.filter((grant) => grant.worker === worker));
  const differences = here.flatMap(({ atNs, key, round }) =>
    there.filter((other) => other.key === key && other.round === round).map((other) => (atNs - other.atNs) / 1e6),
  );
  return differences.reduce((nearest, next) => (Math.abs(next) < Math.abs(nearest) ? next : nearest));
}

describe("a worker on another host", () => {
  test("with a clock of its own: no false alarm, though its lock passes from hand to hand all the time", async () => {
    const faults = ["--faults", "worker-stop(at=0.3s, for=0.3s, target=worker:2), worker-kill(at=1s, target=worker:2)"];
    const { result, stored, joined, run } = await runJoined([
      ...busy,
      ...faults,
      "--rate",
      "900",
      "--job-time",
      "constant(5ms)",
    ]);
    expect(run.stderr).toContain("has joined, for worker:2");
    expect(run.stderr + run.stdout).not.toContain(token);
    expect(joined.exitCode).toBe(0);
    expect(result.findings.filter(({ check }) => check === "exclusion" || check === "linearizability")).toEqual([]);
    for (const fault of result.faults) {
      expect(fault).not.toHaveProperty("error");
      expect(fault.injectedAtMs).not.toBeNull();
    }
    const clocks = clocksOf(stored);
    // Three arms, and two incarnations of the worker in each.
    expect(clocks.length).toBeGreaterThanOrEqual(6);
    for (const { detail } of clocks) {
      const { offsetNs, boundNs } = detail as { offsetNs: number; boundNs: number };
      expect(boundNs).toBeGreaterThan(0);
      expect(boundNs).toBeLessThan(1e9);
      // A host counts from its own beginning, so that the skew itself does not show; a wrong one would in the times.
      expect(Number.isFinite(offsetNs)).toBe(true);
    }
    const grants = eventsOf(stored).filter(
      ({ op, phase, arm }) => op === "acquire" && phase === "ok" && arm === "set-nx",
    );
    expect(new Set(grants.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
    // That it can fail: two grants, one after the other, laid on one moment by a wrong clock are an alarm at once.
    expect(exclusion.check(stored)).toEqual([]);
    expect(exclusion.check(laidWrong(stored, apartMs(grants)))).not.toEqual([]);
  });

  test("an overlap that is real is found, over a network of its own", async (context) => {
    const host = makeHost();
    if (!host) context.skip("no network namespace can be made here");
    const short = [
      "--rate",
      "240",
      "--arrivals",
      "constant",
      "--on-skip",
      "drop",
      "--ttl",
      "200ms",
      "--job-time",
      "constant(700ms)",
      "--faults",
      "worker-stop(at=0.5s, for=0.3s)",
    ];
    const { result, stored, joined } = await runJoined([...busy, ...short], host!.address, host!.enter);
    expect(joined.exitCode).toBe(0);
    const finding = result.findings.find(({ check }) => check === "exclusion");
    expect(finding).toMatchObject({ class: "expired hold", arm: "set-nx" });
    const workers = new Set(finding!.evidence.filter(({ op }) => op === "acquire").map(({ worker }) => worker));
    expect(workers).toEqual(new Set([1, 2]));
    const worst = Math.max(...clocksOf(stored).map(({ detail }) => Number(detail?.boundNs)));
    const longest = /for ([\d.]+) (ms|s)/.exec(finding!.message)!;
    expect(Number(longest[1]) * (longest[2] === "s" ? 1e9 : 1e6)).toBeGreaterThan(worst);
  });

  test("runs a lock of the user's own only if it has the same file", async () => {
    const cwd = folderForTest();
    writeFileSync(join(cwd, "mine.mjs"), "export const createLock = () => { throw new Error('here'); };");
    const port = await freePort("127.0.0.1");
    const env = { HARNESS_JOIN_TOKEN: token };
    const other = execa(process.execPath, [bin, "worker", "--join", `127.0.0.1:${port}`], {
      ...{ cwd: folderForTest(), env, reject: false },
    });
    const args = ["--lock", "./mine.mjs", "--workers", "1", "--remote-workers", "1", "--join-port", String(port)];
    const run = await execa(process.execPath, [bin, "lock", ...args], { cwd, env, reject: false });
    expect(run.stderr).toContain("is not here");
    expect(run.exitCode).not.toBe(0);
    expect((await other).exitCode).toBe(0);
  });
});

test("a host that is lost ends the run; what was recorded is kept", async () => {
  const cwd = folderForTest();
  const port = await freePort("127.0.0.1");
  const env = { HARNESS_JOIN_TOKEN: token };
  const host = execa(process.execPath, [bin, "worker", "--join", `127.0.0.1:${port}`], { cwd, env, reject: false });
  const args = ["--workers", "2", "--remote-workers", "1", "--join-port", String(port), "--duration", "60s"];
  const run = execa(process.execPath, [bin, "lock", ...args], { cwd, env, reject: false });
  let said = "";
  run.stderr.on("data", (text) => {
    said += text;
  });
  await until(() => said.includes("jobs/s"));
  host.kill("SIGKILL");
  const { exitCode, stderr } = await run;
  expect(stderr).toContain("is gone: its connection ended");
  expect(exitCode).toBe(69);
  expect((await readStoredRun(latestRun(cwd))).armRounds.length).toBeGreaterThan(0);
});

test("who does not know the token is sent away", async () => {
  const cwd = folderForTest();
  const port = await freePort("127.0.0.1");
  const run = startHarness(
    ["lock", "--remote-workers", "1", "--join-port", String(port), "--join-token", "right"],
    cwd,
  );
  onTestFinished(() => void run.kill("SIGINT"));
  const { stderr, exitCode } = await startHarness(
    ["worker", "--join", `127.0.0.1:${port}`, "--join-token", "wrong"],
    cwd,
  );
  expect(stderr).toContain("the token is not that of this run");
  expect(exitCode).toBe(69);
  run.kill("SIGINT");
  expect((await run).exitCode).toBe(130);
});
