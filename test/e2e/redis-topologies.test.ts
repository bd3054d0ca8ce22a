import { randomBytes } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { topologyNamed } from "../../harness/config/topologies.ts";
import type { TopologyName } from "../../harness/contracts/topology.ts";
import { findRedis } from "../../harness/redis/find.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";
import type { NodeNetwork, Upstream } from "../../harness/redis/node-handle.ts";
import { roleOf } from "../../harness/redis/replication.ts";
import { startTopology } from "../../harness/redis/topologies/registry.ts";
import type { RunningTopology, TopologyContext } from "../../harness/redis/topologies/topology.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

let redis: RedisInstallation;
let supervisor: Supervisor;

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  redis = await findRedis();
});
afterAll(async () => {
  expect((await supervisor.close()).killed).toEqual([]);
});

async function start(
  name: Exclude<TopologyName, "external">,
  options: Partial<TopologyContext> = {},
): Promise<RunningTopology> {
  const topology = await startTopology[name]({ redis, supervisor, folder: makeOwnedFolder(supervisor), ...options });
  onTestFinished(() => topology.stop());
  return topology;
}

async function until(fact: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const keysOn = (topology: RunningTopology) => Promise.all(topology.nodes.map(({ admin }) => admin.dbsize()));
const rolesOn = (topology: RunningTopology) => Promise.all(topology.nodes.map(({ admin }) => roleOf(admin)));
const primaryOf = ({ sentinelGroup }: RunningTopology) => sentinelGroup!.primary().catch(() => -1);

/** A network that passes everything on, and knows who came to whom: `node:2>node:1`. */
function relays(): NodeNetwork & { seen: Set<string>; cut(name: string): void } {
  const seen = new Set<string>();
  const sockets = new Map<string, Set<Socket>>();
  const listeners: Server[] = [];
  const kinds = ["", "client", "node", "sentinel"];
  onTestFinished(() => {
    for (const listener of listeners) listener.close();
    for (const socket of [...sockets.values()].flatMap((set) => [...set])) socket.destroy();
  });
  return {
    seen,
    sourceAddress: (name) => `127.0.${kinds.indexOf(name.split(":")[0]!)}.${name.split(":")[1]}`,
    /** From now on, the node is unreachable for everyone. */
    cut(name) {
      listeners.find((listener) => (listener as { node?: string }).node === name)?.close();
      for (const socket of sockets.get(name) ?? []) socket.destroy();
    },
    async addNode({ name, upstream }: { name: string; upstream: Upstream }) {
      const own = new Set<Socket>();
      sockets.set(name, own);
      const listener = createServer((inbound) => {
        const [, , kind, index] = (inbound.remoteAddress ?? "").replace("::ffff:", "").split(".").map(Number);
        seen.add(`${kinds[kind!] || "other"}:${index}>${name}`);
        const outbound = connect(upstream as { host: string; port: number });
        for (const socket of [inbound, outbound]) {
          own.add(socket);
          socket
            .on("error", () => {})
            .on("close", () => {
              inbound.destroy();
              outbound.destroy();
            });
        }
        inbound.pipe(outbound).pipe(inbound);
      });
      Object.assign(listener, { node: name });
      listeners.push(listener);
      await new Promise<void>((resolve) => listener.listen({ host: "127.0.0.1", port: 0 }, resolve));
      return { host: "127.0.0.1", port: (listener.address() as { port: number }).port };
    },
  };
}

describe.each(["single", "replicated", "sentinel", "redlock"] as const)("topology %s", (name) => {
  it("is what its description says, empties itself, and comes back whole after a kill", async () => {
    const shape = topologyNamed(name)!;
    const topology = await start(name);
    expect(topology.nodes.map((node) => node.name)).toEqual(
      Array.from({ length: shape.nodes }, (_, index) => `node:${index + 1}`),
    );
    expect(topology.clientNodes).toHaveLength(shape.clientNodes);
    expect(topology.sentinelGroup?.sentinels.length ?? 0).toBe(shape.sentinels);

    const roles = await rolesOn(topology);
    for (const node of topology.clientNodes) await node.admin.set("key", "value");
    await until(async () => (await keysOn(topology)).every((count) => count === 1));
    await topology.nodes.at(-1)!.server!.pause();
    await topology.nodes[0]!.server!.kill();
    await topology.reset();
    expect(await keysOn(topology)).toEqual(Array(shape.nodes).fill(0));
    expect(await rolesOn(topology)).toEqual(roles);

    for (const node of topology.clientNodes) await node.admin.set("key", "value");
    await until(async () => (await keysOn(topology)).every((count) => count === 1));
  });
});

describe("a replicated topology", () => {
  it("replicates through the network, each replica known by its source address and announced by its listener", async () => {
    const network = relays();
    const topology = await start("replicated", { network });
    const [primary, replica] = topology.nodes;
    expect(network.seen).toContain("node:2>node:1");
    const announced = (await primary!.admin.info("replication")).match(/slave0:ip=([\d.]+),port=(\d+)/);
    expect(announced?.slice(1)).toEqual([replica!.address.host, String(replica!.address.port)]);
    expect(replica!.address.port).not.toBe(replica!.direct.port);
  });

  it("promoted by hand, with its link cut, lacks what the primary took last", async () => {
    const network = relays();
    const topology = await start("replicated", { network });
    const [primary, replica] = topology.nodes;
    await primary!.admin.set("before", "x");
    await until(async () => (await replica!.admin.dbsize()) === 1);
    network.cut("node:1");
    await primary!.admin.set("lost", "x");
    await primary!.server!.kill();
    await replica!.admin.replicaof("NO", "ONE");
    expect(await replica!.admin.keys("*")).toEqual(["before"]);
  });

  it("has as many nodes as asked for", async () => {
    const topology = await start("replicated", { nodes: 4 });
    expect(await rolesOn(topology)).toEqual(["master", "slave", "slave", "slave"]);
  });
});

it("a replica that was killed comes back as a replica, a sentinel as one that watches", async () => {
  const topology = await start("sentinel");
  const { server } = topology.nodes[2]!;
  const sentinel = topology.sentinelGroup!.sentinels[0]!.server;
  await Promise.all([server!.restart(), sentinel.restart()]);
  expect(await rolesOn(topology)).toEqual(["master", "slave", "slave"]);
  await topology.nodes[0]!.admin.set("key", "value");
  await until(async () => (await keysOn(topology)).every((count) => count === 1));
  expect(await sentinel.admin.call("SENTINEL", "MASTERS")).toHaveLength(1);
  await sentinel.kill();
  await topology.reset();
  expect(await primaryOf(topology)).toBe(0);
});

describe("a sentinel topology", () => {
  it("fails over when the primary is killed: clients that ask the sentinels write on; reset brings node:1 back", async () => {
    const topology = await start("sentinel");
    const { sentinels, primaryName } = topology.sentinelGroup!;
    const client = new Redis({
      sentinels: sentinels.map(({ host, port }) => ({ host, port })),
      name: primaryName,
      sentinelRetryStrategy: () => 50,
      retryStrategy: () => 50,
      maxRetriesPerRequest: null,
    });
    client.on("error", () => {});
    onTestFinished(() => client.disconnect());
    await client.set("before", "x");
    expect(await topology.nodes[0]!.admin.get("before")).toBe("x");

    await topology.nodes[0]!.server!.kill();
    await until(async () => (await primaryOf(topology)) > 0);
    const promoted = topology.nodes[await primaryOf(topology)]!;
    await client.set("after", "x");
    expect(await promoted.admin.get("after")).toBe("x");

    await topology.reset();
    expect(await primaryOf(topology)).toBe(0);
    expect(await keysOn(topology)).toEqual([0, 0, 0]);
    await client.set("again", "x");
    expect(await topology.nodes[0]!.admin.get("again")).toBe("x");
  });

  it("fails over when the primary is only unreachable, for sentinels and replicas, through the network", async () => {
    const network = relays();
    const topology = await start("sentinel", { network });
    for (const link of [
      "node:2>node:1",
      "node:3>node:1",
      "sentinel:1>node:1",
      "sentinel:2>node:3",
      "sentinel:3>sentinel:1",
    ]) {
      expect(network.seen).toContain(link);
    }
    expect(network.seen).not.toContain("other:1>node:1");
    network.cut("node:1");
    await until(async () => (await primaryOf(topology)) > 0);
    // The old primary goes on as one: whoever still reaches it gets its answers.
    expect(await roleOf(topology.nodes[0]!.admin)).toBe("master");
    expect(topology.nodes[0]!.server!.alive).toBe(true);
  });
});

it("leaves nothing behind when one of its servers does not start", async () => {
  const failing = start("redlock", { config: { "no-such-directive": "1" } });
  await expect(failing).rejects.toThrow("no-such-directive");
});
