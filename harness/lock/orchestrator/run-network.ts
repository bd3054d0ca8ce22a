import type { LockPlan } from "../../contracts/lock-plan.ts";
import { messageOf, UnavailableError } from "../../errors.ts";
import type { FaultNetwork } from "../../faults/fault.ts";
import { type FaultProxy, startFaultProxy } from "../../faults/proxy/fault-proxy.ts";
import { canComeFrom } from "../../faults/proxy/loopback-range.ts";
import { isAboutServerLinks } from "../../faults/proxy/server-links.ts";
import { sourceAddress } from "../../faults/proxy/sources.ts";
import { ToxiproxyNetwork } from "../../faults/toxiproxy-api/toxiproxy-network.ts";
import type { NodeNetwork, Upstream } from "../../redis/node-handle.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import type { ClientMark } from "../messages.ts";

/** What stands between the workers and the lock's nodes. */
export interface RunNetwork {
  faults: FaultNetwork;
  nodes: NodeNetwork;
  /** By what it tells the connections of a worker, once its nodes are there. Absent: it cannot tell clients apart. */
  markOf?(worker: number): ClientMark;
  /** Rejects when it ends though nobody ended it. */
  died: Promise<never>;
  close(): Promise<void>;
}

export interface RunNetworkOptions {
  plan: Pick<LockPlan, "seed" | "workers" | "rounds">;
  runId: string;
  supervisor: Supervisor;
  /** An existing Toxiproxy server to use in place of the harness's own proxy. */
  toxiproxyUrl?: string | undefined;
}

/** Starts the fault proxy, or connects to a Toxiproxy server. */
export function openNetwork(options: RunNetworkOptions): Promise<RunNetwork> {
  const { toxiproxyUrl } = options;
  return toxiproxyUrl === undefined ? ownProxy(options) : toxiproxy(toxiproxyUrl, options);
}

/** A network that was made for few workers tells so many apart, so that cells of a matrix can share it. */
export const CLIENTS_AT_LEAST = 8;

async function ownProxy({ plan, supervisor }: RunNetworkOptions): Promise<RunNetwork> {
  const clients = Array.from({ length: Math.max(plan.workers, CLIENTS_AT_LEAST) }, (_, index) => `client:${index + 1}`);
  const hasAddresses = await canComeFrom([...clients, "node:1", "node:2", "sentinel:1"].map(sourceAddress));
  if (!hasAddresses) refuseServerLinks(plan);
  const proxy = await startFaultProxy({ supervisor, seed: plan.seed });
  const died = new Promise<never>((_, reject) => {
    proxy.once("died", (error) => {
      const message = `${messageOf(error)}. The proxy between workers and servers was ended from outside of the run: start it again.`;
      reject(new UnavailableError(message, { code: "PROXY_DIED", cause: error }));
    });
  });
  died.catch(() => {});
  return {
    ...{ faults: proxy, died, close: () => proxy.close() },
    ...(hasAddresses ? byAddresses(proxy) : byListeners(proxy, clients)),
  };
}

/** Who connects is told by the address that they come from. */
function byAddresses(proxy: FaultProxy): Pick<RunNetwork, "nodes" | "markOf"> {
  const ports: number[] = [];
  return {
    nodes: {
      sourceAddress,
      async addNode(node) {
        const address = await proxy.addNode(node);
        ports.push(address.port);
        return address;
      },
    },
    markOf: (worker) => ({ localAddress: sourceAddress(`client:${worker}`), ports }),
  };
}

/**
 * Where a system has one loopback address alone: each client has a listener of its own for each node. They are told the
 * node's address all the same, so that sentinels and replicas speak of the one that everybody knows.
 */
function byListeners(proxy: FaultProxy, clients: readonly string[]): Pick<RunNetwork, "nodes" | "markOf"> {
  const ownPorts = new Map<string, Record<number, number>>(clients.map((client) => [client, {}]));
  return {
    nodes: {
      async addNode(node) {
        const address = await proxy.addNode(node);
        for (const [source, ports] of ownPorts) {
          ports[address.port] = (await proxy.addNode({ ...node, source })).port;
        }
        return address;
      },
    },
    markOf: (worker) => ({ ownPorts: ownPorts.get(`client:${worker}`) ?? {} }),
  };
}

function refuseServerLinks({ rounds }: Pick<LockPlan, "rounds">): void {
  const fault = rounds.flatMap(({ faults }) => faults).find(isAboutServerLinks);
  if (!fault) return;
  throw new UnavailableError(
    `This system has one loopback address alone (127.0.0.1, as on macOS), so that the proxy cannot tell the connections of ` +
      `replicas and sentinels from those of others: ${fault.name} (${fault.id}) cannot be made here. Leave it out, or run it on Linux or in the image (docs/docker.md).`,
    { code: "ONE_LOOPBACK_ADDRESS" },
  );
}

async function toxiproxy(url: string, { plan, runId, supervisor }: RunNetworkOptions): Promise<RunNetwork> {
  const network = await ToxiproxyNetwork.connect({ url, prefix: runId, clients: plan.workers });
  const undoing: (readonly string[])[] = [];
  return {
    faults: network,
    nodes: {
      async addNode({ name, upstream }) {
        const undo = [process.execPath, "-e", `fetch(${JSON.stringify(network.urlOf(name))}, { method: "DELETE" })`];
        // On a server of somebody else nothing of this run stays, even if this process cannot remove it.
        supervisor.ownCommand(undo);
        undoing.push(undo);
        return network.addNode({ name, upstream: tcp(upstream) });
      },
    },
    died: new Promise(() => {}),
    async close() {
      await network.close();
      for (const undo of undoing) supervisor.disownCommand(undo);
    },
  };
}

function tcp(upstream: Upstream): { host: string; port: number } {
  if ("path" in upstream) throw new Error(`a Toxiproxy server cannot reach the socket ${upstream.path}`);
  return upstream;
}
