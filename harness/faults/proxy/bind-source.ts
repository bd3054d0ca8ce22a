import { Socket } from "node:net";
import { sourceAddress } from "./sources.ts";

/**
 * Lets every TCP connection that this process opens to 127/8 come from the address of a source, whatever library opens
 * it: few have an option for it, and the proxy tells its clients apart by nothing else. Call it before any is opened. A
 * connection that asks for a local address of its own keeps it.
 */
export function bindSource(source: string): void {
  const localAddress = sourceAddress(source);
  const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const options = optionsIn(args);
    if (options && /^127\.\d+\.\d+\.\d+$/.test(options.host ?? "")) options.localAddress ??= localAddress;
    return connect.apply(this, args);
  } as typeof Socket.prototype.connect;
}

interface ConnectOptions {
  host?: string;
  localAddress?: string;
}

/** `connect(options)`, `connect(port, host)`, or the array that `net.connect` has made of either. Written to in place. */
function optionsIn(args: unknown[]): ConnectOptions | undefined {
  const [first, second] = args;
  if (Array.isArray(first)) return first[0] as ConnectOptions;
  if (typeof first === "object" && first !== null) return first as ConnectOptions;
  if (typeof first !== "number" || typeof second !== "string") return undefined;
  const options = { port: first, host: second };
  args.splice(0, 2, options);
  return options;
}
