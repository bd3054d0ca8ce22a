import type { Socket } from "node:net";
import type { Redis } from "ioredis";

/** The addresses under which a server knows a client of the harness, its former connections included. */
export interface OwnConnections {
  has(address: string): boolean;
  forget(): void;
}

/** A port may be given to somebody else long after: only so many former addresses are kept. */
const KEPT = 8;

export function connectionsOf(client: Redis): OwnConnections {
  let addresses: string[] = [];
  const note = () => {
    const { localAddress, localPort } = (client.stream ?? {}) as Partial<Socket>;
    if (localPort === undefined || localAddress === undefined) return;
    const host = localAddress.includes(":") ? `[${localAddress}]` : localAddress;
    addresses = [`${host}:${localPort}`, ...addresses].slice(0, KEPT);
  };
  note();
  client.on("connect", note);
  return {
    has: (address) => addresses.includes(address),
    forget: () => client.off("connect", note),
  };
}
