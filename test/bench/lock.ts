import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { type LockResult, lockResultSchema } from "../../harness/results/lock-schema.ts";
import { type Benchmark, type Figure, median } from "./figure.ts";
import { withRedis } from "./redis.ts";

const WORKERS = 4;
/** Cycles in flight for each worker: the harness's own default, and so many connections of redis-benchmark. */
const IN_FLIGHT = 16;
const SATURATION_SECONDS = 5;

/** What the harness adds to an acquisition: its own against a bare loop of the same shape, in turns. */
export const observerEffect: Benchmark = {
  name: "observer effect",
  method:
    "3 triples in turns: 4 workers, 100 jobs/s of 20 ms without faults or proxy; a bare producer and 4 bare ioredis workers on a stream, each in a session of its own like the harness's, which send the same commands for each job (acquire, look, effect on a second server, acknowledge, release: what one job sends stands in the way of another's acquire); and the same with bare workers that ask for their next job before they acquire, as the harness's do, and not after",
  async run() {
    const ours: number[] = [];
    const bare: number[] = [];
    const asksFirst: number[] = [];
    for (let triple = 0; triple < 3; triple += 1) {
      const result = await harnessLock(["--rate", "100/s", "--job-time", "constant(20ms)", "--duration", "6s"]);
      ours.push((lockArm(result).acquire.p50Ms ?? Number.NaN) * 1e6);
      const load = { perSecond: 100, seconds: 6, holdMs: 20 };
      bare.push(await bareP50Ns(load));
      asksFirst.push(await bareP50Ns({ ...load, asksFirst: true }));
    }
    const asMs = (ns: number[]) => `${(median(ns) / 1e6).toFixed(3)} ms`;
    const against = (name: string, others: number[]): Figure => ({
      name,
      measured: asMs(ours),
      peer: `bare ioredis ${asMs(others)}`,
      value: median(ours.map((value, index) => value / others[index]!)),
      unit: "x",
      goal: { atMost: 1.1 },
    });
    return [
      against("acquire p50 against a bare loop", bare),
      against("acquire p50 against a bare loop that asks first", asksFirst),
    ];
  },
};

/** Cycles of acquire and release a second, against redis-benchmark with the same two commands and as many connections. */
export const saturation: Benchmark = {
  name: "saturation",
  method:
    "3 triples in turns: `--rate max`, 4 workers, journals on; redis-benchmark -c 64 with SET NX PX and the release script; 4 bare ioredis processes, auto-pipelined, with as many in flight and no journal",
  async run() {
    const ours: number[] = [];
    const peer: number[] = [];
    const bare: number[] = [];
    for (let triple = 0; triple < 3; triple += 1) {
      const result = await harnessLock(["--rate", "max", "--duration", `${SATURATION_SECONDS}s`]);
      ours.push(lockArm(result).cyclesPerSecond ?? Number.NaN);
      peer.push(await benchmarkCyclesPerSecond());
      bare.push(await bareCyclesPerSecond());
    }
    const against = (others: number[]) => median(ours.map((value, index) => value / others[index]!));
    const perSecond = (values: number[]) => `${Math.round(median(values)).toLocaleString("en")} cycles/s`;
    return [
      {
        name: "saturation, journals on",
        measured: perSecond(ours),
        peer: `redis-benchmark ${perSecond(peer)}`,
        value: against(peer),
        unit: "x",
        goal: { atLeast: 1 },
      },
      {
        name: "saturation, journals on, against a bare loop",
        measured: perSecond(ours),
        peer: `bare ioredis ${perSecond(bare)}`,
        value: against(bare),
        unit: "x",
        goal: { atLeast: 0.9 },
      },
    ];
  },
};

/** How late the load generator is. */
export const lateness: Benchmark = {
  name: "open loop",
  method: "4 workers without faults, 20 and 2,000 jobs/s of 1 ms, 6 s each",
  async run() {
    const figures: Figure[] = [];
    for (const [rate, p99Goal] of [
      ["20/s", 5],
      ["2000/s", 10],
    ] as const) {
      const result = await harnessLock(["--rate", rate, "--job-time", "constant(1ms)", "--duration", "6s"]);
      const { lateP50Ms, lateP99Ms, dropped } = lockArm(result).starts;
      const late = (name: string, value: number | null, atMost: number): Figure => ({
        name: `${rate}: ${name}`,
        measured: `${value?.toFixed(2)} ms`,
        value: value ?? Number.NaN,
        unit: "ms",
        goal: { atMost },
      });
      figures.push(late("starts late by p50", lateP50Ms, 1), late("starts late by p99", lateP99Ms, p99Goal));
      const name = `${rate}: starts dropped`;
      figures.push({ name, measured: String(dropped), value: dropped, unit: "", goal: { atMost: 0 } });
    }
    return figures;
  },
};

async function harnessLock(args: string[]): Promise<LockResult> {
  const out = mkdtempSync(join(tmpdir(), "holdfast-bench-out-"));
  try {
    const common = [
      "--workers",
      String(WORKERS),
      "--faults",
      "none",
      "--rounds",
      "1",
      "--json",
      "--quiet",
      "--out",
      out,
    ];
    const { stdout } = await execa(process.execPath, ["dist/harness/cli/bin.js", "lock", ...common, ...args]);
    return lockResultSchema.parse(JSON.parse(stdout));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function lockArm({ arms }: LockResult) {
  const arm = arms.find(({ role }) => role === "lock");
  if (!arm) throw new Error("the result has no lock arm");
  return arm;
}

interface BareLoad {
  perSecond: number;
  seconds: number;
  holdMs: number;
  /** Workers ask for their next job before they acquire. */
  asksFirst?: boolean;
}

function bareP50Ns({ perSecond, seconds, holdMs, asksFirst = false }: BareLoad): Promise<number> {
  return withRedis(({ port }) =>
    withRedis(async ({ port: effectsPort }) => {
      // Linux shares the processor by session before it does by process: each has one, as each process of a run has.
      const start = (...args: (string | number)[]) =>
        execa(process.execPath, ["test/bench/programs/bare-loop.mjs", ...args.map(String)], { detached: true });
      const producer = start("producer", port, perSecond, seconds);
      await once(producer.stdout, "data");
      const workers = Array.from({ length: WORKERS }, (_, index) =>
        start("worker", port, effectsPort, index, seconds + 1, holdMs, ...(asksFirst ? ["asks-first"] : [])),
      );
      const [, ...outputs] = await Promise.all([producer, ...workers]);
      return median(outputs.map(({ stdout }) => Number(stdout)));
    }),
  );
}

function bareCyclesPerSecond(): Promise<number> {
  return withRedis(async ({ port }) => {
    const args = [
      "test/bench/programs/bare-saturation.mjs",
      String(port),
      String(IN_FLIGHT),
      String(SATURATION_SECONDS),
    ];
    const outputs = await Promise.all(Array.from({ length: WORKERS }, () => execa(process.execPath, args)));
    return outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0);
  });
}

const RELEASE = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end';

function benchmarkCyclesPerSecond(): Promise<number> {
  return withRedis(async ({ port }, { benchmark, env }) => {
    if (!benchmark) throw new Error("this Redis comes without redis-benchmark");
    const requestsPerSecond = async (command: string[]) => {
      const common = ["-p", String(port), "-c", String(WORKERS * IN_FLIGHT), "-n", "150000", "-r", "1000000", "--csv"];
      const { stdout } = await execa(benchmark, [...common, ...command], { env });
      const row = stdout.trim().split("\n").at(-1) ?? "";
      return Number(row.split('","')[1]);
    };
    const acquire = await requestsPerSecond(["SET", "lock:__rand_int__", "token", "NX", "PX", "15000"]);
    const release = await requestsPerSecond(["EVAL", RELEASE, "1", "lock:__rand_int__", "token"]);
    return 1 / (1 / acquire + 1 / release);
  });
}
