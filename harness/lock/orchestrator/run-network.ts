import type { LockPlan } from "../../contracts/lock-plan.ts";
import { messageOf, UnavailableError } from "../../errors.ts";
import type { FaultNetwork } from "../../faults/fault.ts";
import { startFaultProxy } from "../../faults/proxy/fault-proxy.ts";
import { sourceAddress } from "../../faults/proxy/sources.ts";
import { ToxiproxyNetwork } from "../../faults/toxiproxy-api/toxiproxy-network.ts";
import type { NodeNetwork, Upstream } from "../../redis/node-handle.ts";
import type { Supervisor } from "../../supervisor/parent.ts";

/** What stands between the workers and the lock's nodes. */
export interface RunNetwork {
  faults: FaultNetwork;
  nodes: NodeNetwork;
  /** True: it knows who connects by the source address. */
  tellsClients: boolean;
  /** Rejects when it ends though nobody ended it. */
  died: Promise<never>;
  close(): Promise<void>;
}

export interface RunNetworkOptions {
  plan: Pick<LockPlan, "seed" | "workers">;
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

async function ownProxy({ plan, supervisor }: RunNetworkOptions): Promise<RunNetwork> {
  const proxy = await startFaultProxy({ supervisor, seed: plan.seed });
  const died = new Promise<never>((_, reject) => {
    proxy.once("died", (error) => {
      const message = `${messageOf(error)}. The proxy between workers and servers was ended from outside of the run: start it again.`;
      reject(new UnavailableError(message, { code: "PROXY_DIED", cause: error }));
    });
  });
  died.catch(() => {});
  return {
    faults: proxy,
    nodes: { addNode: (node) => proxy.addNode(node), sourceAddress },
    tellsClients: true,
    died,
    close: () => proxy.close(),
  };
}

async function toxiproxy(url: string, { plan, runId, supervisor }: RunNetworkOptions): Promise<RunNetwork> {
  const network = await ToxiproxyNetwork.connect({ url, prefix: runId, clients: plan.workers });
  const undoing: (readonly string[])[] = [];
  return {
    faults: network,
    nodes: {
      sourceAddress,
      async addNode({ name, upstream }) {
        const undo = [process.execPath, "-e", `fetch(${JSON.stringify(network.urlOf(name))}, { method: "DELETE" })`];
        // On a server of somebody else nothing of this run stays, even if this process cannot remove it.
        supervisor.ownCommand(undo);
        undoing.push(undo);
        return network.addNode({ name, upstream: tcp(upstream) });
      },
    },
    tellsClients: false,
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
