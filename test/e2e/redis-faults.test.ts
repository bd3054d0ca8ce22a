import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { FaultParameters, PlannedFault } from "../../harness/contracts/fault.ts";
import type { FaultField } from "../../harness/faults/fault.ts";
import { startFaultProxy } from "../../harness/faults/proxy/fault-proxy.ts";
import { sourceAddress } from "../../harness/faults/proxy/sources.ts";
import { faultNamed } from "../../harness/faults/registry.ts";
import { faketimeEnvironment } from "../../harness/redis/faketime.ts";
import { findRedis } from "../../harness/redis/find.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";
import { mountSmallDisk } from "../../harness/redis/small-disk.ts";
import { startTopology } from "../../harness/redis/topologies/registry.ts";
import type { RunningTopology } from "../../harness/redis/topologies/topology.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

let supervisor: Supervisor;
let redis: RedisInstallation;
let folder: string;
let single: RunningTopology;
let client: Redis;
let reader: Redis;

const connect = ({ host, port }: { host: string; port: number }) => {
  const connected = new Redis({ host, port, retryStrategy: () => 50, maxRetriesPerRequest: null });
  connected.on("error", () => {});
  return connected;
};

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `redis-faults-${process.pid}` });
  folder = mkdtempSync(join(tmpdir(), "holdfast-faults-"));
  supervisor.ownFolder(folder);
  redis = await findRedis({ supervisor });
  single = await startTopology.single({ redis, supervisor, folder });
  [client, reader] = [connect(single.nodes[0]!.direct), connect(single.nodes[0]!.direct)];
});
afterAll(async () => {
  client?.disconnect();
  reader?.disconnect();
  await supervisor?.close();
});
beforeEach(() => single.reset());

const place = ({ nodes }: RunningTopology) => ({ host: "127.0.0.1", port: nodes[0]!.direct.port });

const field = (topology: RunningTopology, network: FaultField["network"] = undefined): FaultField => ({
  ...{ nodes: topology.nodes, topology, workers: [], network },
});

/** Injects a fault; healed at the end of the test at the latest, so that one failure does not become many. */
async function inject(
  name: string,
  parameters: FaultParameters = {},
  forMs = 60_000,
  on = field(single),
  target = "node:1",
): Promise<{ heal(): Promise<void> }> {
  const fault: PlannedFault = {
    ...{ id: "f1", name, targets: [target], parameters, forMs },
    trigger: { kind: "at", atMs: 0 },
  };
  const injection = await faultNamed(name)!.inject(on, fault);
  let healing: Promise<void> | undefined;
  const heal = () => {
    healing ??= (async () => void (await injection.heal?.()))();
    return healing;
  };
  onTestFinished(heal);
  return { heal };
}

/** What becomes of a command within a moment: its reply, its error, or nothing. */
async function fate(command: Promise<unknown>, withinMs = 150): Promise<string> {
  const nothing = new Promise<string>((resolve) => setTimeout(() => resolve("no answer"), withinMs));
  return Promise.race([command.then(String, (error: Error) => error.message), nothing]);
}

const hold = () => client.set("lock:a", "token", "PX", 10_000, "NX");

describe("each fault of a Redis server is seen from outside, and gone after its healing", () => {
  test.each([
    ["redis-pause", {}, "no answer", "no answer"],
    ["redis-client-pause", { mode: "write" }, "no answer", "token"],
    ["redis-oom", {}, /^OOM/, "token"],
    ["redis-misconf", {}, /^MISCONF/, "token"],
    ["redis-read-only", {}, /^READONLY/, "token"],
    ["redis-busy", {}, /^BUSY/, /^BUSY/],
  ] as const)("%s %o: a write gets %s, a read %s", async (name, parameters, write, read) => {
    await hold();
    const injection = await inject(name, parameters);
    expect(await fate(client.set("other", "1"))).toMatch(write);
    // On a connection of its own: behind a write that waits, a read would wait as well.
    expect(await fate(reader.get("lock:a"))).toMatch(read);
    await injection.heal();
    expect(await fate(client.set("after", "1"), 10_000)).toBe("OK");
    expect(await fate(client.get("lock:a"), 10_000)).toBe("token");
  });

  test("redis-client-pause in all: commands wait, at the longest until the slice ends, and heal early", async () => {
    const injection = await inject("redis-client-pause", { mode: "all" });
    expect(await fate(client.get("lock:a"), 100)).toBe("no answer");
    await injection.heal();
    expect(await fate(client.get("lock:a"), 10_000)).toBe("null");
  });

  test("redis-kill: nobody answers; it comes back without the lock", async () => {
    await hold();
    const injection = await inject("redis-kill");
    expect(await fate(client.get("lock:a"))).toBe("no answer");
    await injection.heal();
    expect(await client.set("lock:a", "second", "PX", 10_000, "NX")).toBe("OK");
  });

  test.each(["redis-kill", "redis-restart"])("%s with its data kept: the lock is still held", async (name) => {
    await hold();
    const injection = await inject(name, { emptied: "no" });
    await injection.heal();
    expect(await client.get("lock:a")).toBe("token");
  });

  test("redis-power-loss: what was written last is gone, though it had been acknowledged; what was before is there", async () => {
    await hold();
    let acknowledged = 0;
    let isOver = false;
    const writing = (async () => {
      const writer = new Redis({ ...place(single), maxRetriesPerRequest: 0, retryStrategy: () => null });
      writer.on("error", () => {});
      for (let count = 1; !isOver; count++) {
        if ((await writer.set(`late:${count}`, "1").catch(() => "lost")) !== "OK") break;
        acknowledged = count;
      }
      writer.disconnect();
    })();
    const injection = await inject("redis-power-loss", { loses: 200 });
    isOver = true;
    await writing;
    await injection.heal();
    expect(acknowledged).toBeGreaterThan(0);
    expect(await client.get("lock:a")).toBe("token");
    expect(await client.exists(`late:${acknowledged}`)).toBe(0);
  });

  test("redis-loading: answers -LOADING, and has every key in the end, and no others", async () => {
    await hold();
    const injection = await inject("redis-loading", {}, 400);
    const impatient = new Redis({ ...place(single), enableReadyCheck: false });
    impatient.on("error", () => {});
    expect(await fate(impatient.get("lock:a"), 2_000)).toMatch(/^LOADING/);
    await injection.heal();
    expect(await impatient.get("lock:a")).toBe("token");
    expect(await impatient.keys("*")).toEqual(["lock:a"]);
    impatient.disconnect();
  });

  test("redis-restart and redis-flush: the second client gets the lock that the first one holds", async () => {
    for (const name of ["redis-restart", "redis-flush"]) {
      await hold();
      await inject(name);
      expect(await client.set("lock:a", "second", "PX", 10_000, "NX")).toBe("OK");
      await single.reset();
    }
  });

  test("redis-eviction: the lock is gone, a key without a TTL is not", async () => {
    await hold();
    await client.set("document", "kept");
    const injection = await inject("redis-eviction");
    expect(await client.get("lock:a")).toBeNull();
    expect(await client.get("document")).toBe("kept");
    await injection.heal();
    expect(await hold()).toBe("OK");
  });

  test("redis-clock: a step of +10 s ends the lease, one of -30 s prolongs it", async () => {
    await hold();
    await inject("redis-clock", { step: -30_000 });
    expect(await client.pttl("lock:a")).toBeGreaterThan(30_000);
    await inject("redis-clock", { step: 45_000 });
    expect(await client.get("lock:a")).toBeNull();
  });

  test("redis-script-flush: EVALSHA is answered with NOSCRIPT", async () => {
    const sha = String(await client.script("LOAD", "return 1"));
    expect(await client.evalsha(sha, 0)).toBe(1);
    await inject("redis-script-flush");
    await expect(client.evalsha(sha, 0)).rejects.toThrow(/NOSCRIPT/);
  });

  test("redis-maxclients: a new connection is turned away, an open one stays", async () => {
    const injection = await inject("redis-maxclients", { clients: 1 });
    const late = new Redis({
      port: single.nodes[0]!.direct.port,
      host: "127.0.0.1",
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    late.on("error", () => {});
    await expect(late.ping()).rejects.toThrow();
    expect(await client.ping()).toBe("PONG");
    await injection.heal();
    const next = connect(single.nodes[0]!.direct);
    expect(await next.ping()).toBe("PONG");
    next.disconnect();
  });

  test("redis-sleep and redis-slow: commands wait, and all are answered in the end", async () => {
    const asleep = await inject("redis-sleep", {}, 400);
    const waiting = client.ping();
    expect(await fate(waiting, 100)).toBe("no answer");
    await asleep.heal();
    expect(await waiting).toBe("PONG");

    const slow = await inject("redis-slow", { takes: 300, every: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const behind = client.ping();
    expect(await fate(behind, 50)).toBe("no answer");
    expect(await behind).toBe("PONG");
    await slow.heal();
  });
});

test("redis-misconf on a replica: it refuses writes, and lives on with what its primary sends", async () => {
  const topology = await startTopology.replicated({ redis, supervisor, folder: mkdtempSync(join(folder, "m-")) });
  const [primary, replica] = topology.nodes.map(({ direct }) => connect(direct)) as [Redis, Redis];
  const injection = await inject("redis-misconf", {}, 60_000, field(topology), "node:2");
  await primary.set("lock:a", "token");
  await expect.poll(() => replica.get("lock:a")).toBe("token");
  // What it must load anew meanwhile, it can load once it is healed.
  await inject("redis-restart", {}, 60_000, field(topology));
  await injection.heal();
  expect(topology.nodes[1]!.server!.alive).toBe(true);
  await topology.reset();
  await primary.set("lock:b", "token");
  await expect.poll(() => replica.get("lock:b")).toBe("token");
  primary.disconnect();
  replica.disconnect();
  await topology.stop();
});

test("redis-clock and redis-flush on a replica: its keys expire and go, and those of its primary do not", async () => {
  const topology = await startTopology.replicated({ redis, supervisor, folder: mkdtempSync(join(folder, "f-")) });
  const [primary, replica] = topology.nodes.map(({ direct }) => connect(direct)) as [Redis, Redis];
  await primary.set("lock:a", "token");
  await expect.poll(() => replica.get("lock:a")).toBe("token");
  await primary.pexpire("lock:a", 20_000);
  await expect.poll(() => replica.pttl("lock:a")).toBeGreaterThan(0);
  await inject("redis-clock", { step: -60_000 }, undefined, field(topology), "node:2");
  expect(await replica.pttl("lock:a")).toBeGreaterThan(20_000);
  expect(await primary.pttl("lock:a")).toBeLessThanOrEqual(20_000);
  await inject("redis-flush", {}, undefined, field(topology), "node:2");
  expect(await replica.get("lock:a")).toBeNull();
  expect(await primary.get("lock:a")).toBe("token");
  expect(await fate(replica.set("lock:b", "token"))).toMatch("READONLY");
  await inject("redis-flush", {}, undefined, field(topology), "node:1");
  expect(await primary.get("lock:a")).toBeNull();
  primary.disconnect();
  replica.disconnect();
  await topology.stop();
});

test("redis-faketime: the server's own clock jumps, and runs fast", async () => {
  const env = await faketimeEnvironment(redis, { supervisor });
  const topology = await startTopology.single({ redis, supervisor, folder: mkdtempSync(join(folder, "f-")), env });
  const moved = connect(place(topology));
  const offBy = async () => Number((await moved.time())[0]) - Date.now() / 1000;
  expect(Math.abs(await offBy())).toBeLessThan(2);

  await moved.set("lock:a", "first", "PX", 10_000, "NX");
  const jump = await inject("redis-faketime", { offset: 60_000 }, 60_000, field(topology));
  expect(await moved.set("lock:a", "second", "PX", 10_000, "NX")).toBe("OK");
  expect(await offBy()).toBeGreaterThan(58);
  await jump.heal();
  expect(Math.abs(await offBy())).toBeLessThan(2);

  // By its own clock it would outlive the test.
  await moved.set("lock:b", "first", "PX", 200_000, "NX");
  const fast = await inject("redis-faketime", { speed: 50 }, 60_000, field(topology));
  expect(await moved.get("lock:b")).toBe("first");
  await expect.poll(() => moved.get("lock:b"), { timeout: 60_000 }).toBeNull();
  await fast.heal();
  moved.disconnect();
  await topology.stop();
});

test.runIf(process.getuid?.() === 0)(
  "redis-disk-full: writes are refused, reads are not, and it recovers",
  async () => {
    const disk = join(folder, "disk");
    const { unmount } = await mountSmallDisk(disk, supervisor);
    const topology = await startTopology.single({ redis, supervisor, folder: disk });
    const full = connect(place(topology));
    await full.set("lock:a", "token");
    const injection = await inject("redis-disk-full", {}, 60_000, field(topology));
    expect(await fate(full.set("other", "1"), 2_000)).toMatch(/^MISCONF.*No space left/);
    expect(await full.get("lock:a")).toBe("token");
    await injection.heal();
    expect(await full.set("other", "1")).toBe("OK");
    full.disconnect();
    await topology.stop();
    await unmount();
  },
);

test("redis-failover: the lock that was granted last is unknown to the new primary", async () => {
  const proxy = await startFaultProxy({ supervisor, seed: 1 });
  const network = { addNode: (node: Parameters<typeof proxy.addNode>[0]) => proxy.addNode(node), sourceAddress };
  const topology = await startTopology.replicated({
    redis,
    supervisor,
    folder: mkdtempSync(join(folder, "r-")),
    network,
  });
  const [primary, replica] = topology.nodes.map(({ direct }) => connect(direct)) as [Redis, Redis];
  await primary.set("lock:early", "token");
  await expect.poll(() => replica.get("lock:early")).toBe("token");

  const failing = inject("redis-failover", { lag: 800 }, 60_000, field(topology, proxy));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await primary.set("lock:a", "first", "PX", 60_000, "NX")).toBe("OK");
  const injection = await failing;
  expect(await replica.set("lock:a", "second", "PX", 60_000, "NX")).toBe("OK");
  expect(await replica.get("lock:early")).toBe("token");
  await injection.heal();

  primary.disconnect();
  replica.disconnect();
  await topology.stop();
  await proxy.close();
});
