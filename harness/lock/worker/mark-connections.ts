import { Socket, type SocketConnectOpts, type TcpSocketConnectOpts } from "node:net";
import type { ClientMark } from "../messages.ts";

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Node's own, once it was replaced. */
let original: Connect | undefined;
let current: ClientMark = { ownPorts: {} };

/**
 * Marks every connection of this process to the ports of the proxy, whatever client library makes it: few of them have an
 * option for that. Must run before any library loads. A later mark takes the place of an earlier one.
 */
export function markConnections(mark: ClientMark): void {
  current = mark;
  if (Socket.prototype.connect === (marked as unknown)) return;
  original = Socket.prototype.connect as Connect;
  Socket.prototype.connect = marked as typeof Socket.prototype.connect;
}

function marked(this: Socket, ...args: unknown[]): Socket {
  const connect = original as Connect;
  const options = connectOptions(args);
  const changed = options && markOf(options);
  if (!changed) return connect.apply(this, args);
  return connect.call(this, { ...options, ...changed }, ...args.filter((arg) => typeof arg === "function"));
}

/** What of the options the mark changes; undefined: it is no connection to the proxy. */
function markOf({ port, localAddress }: TcpSocketConnectOpts): Partial<TcpSocketConnectOpts> | undefined {
  if ("ownPorts" in current) {
    const own = current.ownPorts[Number(port)];
    return own === undefined ? undefined : { port: own };
  }
  const isBound = localAddress !== undefined && localAddress !== "";
  return current.ports.includes(Number(port)) && !isBound ? { localAddress: current.localAddress } : undefined;
}

/** The options in the forms that `connect` takes: an object, port and host, or Node's own already normalised array. */
function connectOptions(args: readonly unknown[]): TcpSocketConnectOpts | undefined {
  const [first, second] = args;
  if (Array.isArray(first)) return connectOptions(first);
  if (typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first))) {
    return { port: Number(first), ...(typeof second === "string" ? { host: second } : {}) };
  }
  if (typeof first === "object" && first !== null && "port" in first) {
    return first as SocketConnectOpts as TcpSocketConnectOpts;
  }
  return undefined;
}
