import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { TraceDetail } from "../../harness/contracts/history.ts";
import { faultNamed } from "../../harness/faults/registry.ts";
import type { Journal, JournalEntry } from "../../harness/lock/journal.ts";
import { startTrace, type TraceRecorder } from "../../harness/lock/trace/recorder.ts";
import { findRedis } from "../../harness/redis/find.ts";
import { startTopology } from "../../harness/redis/topologies/registry.ts";
import type { RunningTopology } from "../../harness/redis/topologies/topology.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

let supervisor: Supervisor;
let single: RunningTopology;
let client: Redis;

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `lock-trace-${process.pid}` });
  const folder = mkdtempSync(join(tmpdir(), "holdfast-trace-"));
  supervisor.ownFolder(folder);
  single = await startTopology.single({ redis: await findRedis({ supervisor }), supervisor, folder });
  const { host, port } = single.nodes[0]!.direct;
  client = new Redis({ host, port, retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on("error", () => {});
});
afterAll(async () => {
  client?.disconnect();
  await supervisor?.close();
});
beforeEach(() => single.reset());

const RELEASE = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`;

interface Traced {
  recorder: TraceRecorder;
  entries: JournalEntry[];
  details(kind: TraceDetail["kind"]): Record<string, unknown>[];
  /** `command by`: `SET client`, `DEL lua`. */
  commands(): string[];
  until(fact: () => boolean): Promise<void>;
}

async function trace(): Promise<Traced> {
  const entries: JournalEntry[] = [];
  const journal: Journal = {
    now: () => 0,
    record: (entry) => entries.push(entry),
    recordSpelled() {},
    flush() {},
    close() {},
  };
  const recorder = await startTrace({
    nodes: single.clientNodes,
    templates: [{ node: 1, db: 0, role: "lock", before: "lock:", after: "" }],
    journal,
    startNs: process.hrtime.bigint(),
  });
  onTestFinished(() => recorder.stop(0));
  const details = (kind: TraceDetail["kind"]) =>
    entries.flatMap(({ detail }) => (detail?.kind === kind ? [detail] : []));
  return {
    ...{ recorder, entries, details },
    commands: () =>
      details("command").map(({ command, client: by }) => `${command} ${/^\d/.test(String(by)) ? "client" : by}`),
    async until(fact) {
      while (!fact()) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

describe("the command trace of a node", () => {
  test("shows what locks do, a script's inner calls included, in the server's order", async () => {
    const { recorder, commands, details, entries } = await trace();
    await client.set("lock:a", "t1", "PX", 5000, "NX");
    await client.set("other", "1");
    await client.eval(RELEASE, 1, "lock:a", "t1");
    await recorder.stop(5_000);
    expect(commands()).toEqual(["SET client", "EVAL client", "GET lua", "DEL lua"]);
    expect(details("command")[3]).toMatchObject({ physicalKey: "lock:a", scriptArgs: ["lock:a", "t1"], node: 1 });
    expect(details("gap")).toEqual([]);
    const times = entries.map(({ atNs }) => atNs!);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(new Set(entries.filter(({ detail }) => detail?.kind === "command").map(({ key }) => key))).toEqual(
      new Set(["a"]),
    );
  });

  test("a transaction that watches the key comes as WATCH, MULTI, its commands, EXEC", async () => {
    const { recorder, commands } = await trace();
    await client.watch("lock:a");
    await client.multi().del("lock:a").exec();
    await recorder.stop(5_000);
    expect(commands()).toEqual(["WATCH client", "MULTI client", "DEL client", "EXEC client"]);
  });

  test("tells what expires, and asks for the keys that stand", async () => {
    const { details, until } = await trace();
    await client.set("lock:a", "t1", "PX", 400);
    await client.set("lock:stays", "t2");
    await until(() => details("expired").length > 0 && details("state").some(({ pttlMs }) => pttlMs === -1));
    expect(details("expired")[0]).toMatchObject({ physicalKey: "lock:a", node: 1 });
    expect(details("state").find(({ physicalKey }) => physicalKey === "lock:stays")).toMatchObject({
      value: "t2",
      pttlMs: -1,
    });
    expect(details("state").find(({ physicalKey }) => physicalKey === "lock:a")).toMatchObject({ value: "t1" });
  });

  test("a fault's commands are marked as its own", async () => {
    const { recorder, commands } = await trace();
    await client.set("lock:a", "t1", "PX", 60_000);
    await faultNamed("redis-clock")!.inject(
      { nodes: single.nodes, topology: single, workers: [], network: undefined },
      {
        id: "f1",
        name: "redis-clock",
        targets: ["node:1"],
        parameters: { step: 10_000 },
        trigger: { kind: "at", atMs: 0 },
      },
    );
    await single.nodes[0]!.admin.flushall();
    await recorder.stop(5_000);
    expect(commands()).toEqual(["SET client", "PTTL fault", "PEXPIRE fault", "FLUSHALL fault"]);
  });

  test("a restart of the server is a gap, and the trace goes on after it", async () => {
    const { recorder, commands, details, until } = await trace();
    await client.set("lock:a", "t1", "PX", 60_000);
    await single.nodes[0]!.server!.restart();
    await until(() => details("gap").length > 0);
    expect(details("gap")[0]).toMatchObject({ node: 1 });
    expect(Number(details("gap")[0]!.forNs)).toBeGreaterThan(0);
    await client.set("lock:b", "t2", "PX", 100);
    await until(() => details("expired").length > 0);
    await recorder.stop(5_000);
    expect(commands()).toEqual(["SET client", "SET client"]);
    expect(details("gap")).toHaveLength(1);
  });
});
