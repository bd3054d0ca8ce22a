import { Socket, type SocketConnectOpts, type TcpSocketConnectOpts } from "node:net";

/**
 * Binds every connection of this process to the given loopback ports to one source address, whatever client library
 * makes it: few of them have an option for that. Must run before any library loads.
 */
export function bindSourceAddress({ localAddress, ports }: { localAddress: string; ports: readonly number[] }): void {
  const proxied = new Set(ports);
  const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  Socket.prototype.connect = function bound(this: Socket, ...args: unknown[]): Socket {
    const options = connectOptions(args);
    if (options && proxied.has(Number(options.port)) && !options.localAddress) {
      return connect.call(this, { ...options, localAddress }, ...args.filter((arg) => typeof arg === "function"));
    }
    return connect.apply(this, args);
  } as typeof Socket.prototype.connect;
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
