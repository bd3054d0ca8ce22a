import { connect, createServer, type Server, type Socket } from "node:net";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import type { LockField } from "../orchestrator/field.ts";
import { challengeSchema, proofOf, readJsonLines, sendLine } from "./wire.ts";

/**
 * Servers and proxies of a run listen on loopback only. Workers of other hosts reach them over connections to the
 * orchestrator's one open port, each of which is passed on to the server that it names.
 */
export interface TunnelTarget {
  host: string;
  port: number;
  /** What tells the proxy whose connection it is. */
  localAddress?: string;
}

/** Where a connection of a worker to `node:2`, `queue` or `witness` goes. */
export function targetOf(field: LockField, name: string, worker: number): TunnelTarget | undefined {
  const node = nodeOf(field, name);
  if (!node) return undefined;
  const { host, port } = node;
  const { mark } = worker > 0 ? field.markOf(worker) : {};
  if (!mark) return { host, port };
  if ("ownPorts" in mark) return { host, port: mark.ownPorts[port] ?? port };
  return { host, port, ...(mark.ports.includes(port) ? { localAddress: mark.localAddress } : {}) };
}

function nodeOf({ lockNodes, queueNode, witnessNode }: LockField, name: string): LockNode | undefined {
  if (name === "queue") return queueNode;
  if (name === "witness") return witnessNode;
  const number = /^node:(\d+)$/.exec(name)?.[1];
  return number === undefined ? undefined : lockNodes[Number(number) - 1];
}

/** Connects a socket with a server, both ways, until either ends. */
export function passOn(socket: Socket, first: Buffer, target: TunnelTarget): void {
  const upstream = connect({ ...target, noDelay: true });
  join(socket, upstream);
  upstream.write(first);
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.resetAndDestroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
}

export interface TunnelOptions {
  /** The orchestrator. */
  host: string;
  port: number;
  token: string;
  worker: number;
  target: string;
}

/** A port of this host's loopback that leads to a server of the run. */
export interface Tunnel {
  port: number;
  close(): void;
}

export async function openTunnel(options: TunnelOptions): Promise<Tunnel> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  };
  const server: Server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    keep(socket);
    keep(lead(socket, options));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("a tunnel has no port");
  return {
    port: address.port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function lead(socket: Socket, { host, port, token, worker, target }: TunnelOptions): Socket {
  const upstream = connect({ host, port, noDelay: true });
  socket.on("error", () => upstream.destroy());
  upstream.on("error", () => socket.resetAndDestroy());
  upstream.on("close", () => socket.destroy());
  readJsonLines(upstream, (value, stop) => {
    const { nonce } = challengeSchema.parse(value);
    const rest = stop();
    sendLine(upstream, { type: "tunnel", proof: proofOf(token, nonce), worker, target });
    socket.write(rest);
    join(socket, upstream);
  });
  return upstream;
}
