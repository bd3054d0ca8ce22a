/**
 * Who connects is told by the source address: each process binds its connections to an address of 127/8 of its own.
 * `client:1` is 127.0.1.1, `node:1` (as a replica) 127.0.2.1, `sentinel:1` 127.0.3.1; the 255th of a kind continues in
 * the next block: `client:255` is 127.1.1.1. Set it as `localAddress` in clients, `bind-source-addr` in redis-server.
 */
export function sourceAddress(source: string): string {
  const [, kind, digits] = /^(\w+):(\d+)$/.exec(source) ?? [];
  const kindNumber = kinds.indexOf(kind === "worker" ? "client" : (kind ?? ""));
  const index = Number(digits);
  if (kindNumber < 1 || !(index >= 1 && index <= greatestIndex)) {
    throw new RangeError(
      `${source} is no source of connections: client:N, node:N or sentinel:N, N from 1 to ${greatestIndex}`,
    );
  }
  const block = Math.floor((index - 1) / perBlock);
  return `127.${block}.${kindNumber}.${1 + ((index - 1) % perBlock)}`;
}

/** The name of the source with this address; `other` if it is none of those above. */
export function sourceAt(address: string | undefined): string {
  const [first, block, kindNumber, host] = (address ?? "")
    .replace(/^::ffff:/, "")
    .split(".")
    .map(Number);
  const kind = kinds[kindNumber ?? 0];
  if (first !== 127 || !kind || !host || host > perBlock) return "other";
  return `${kind}:${(block ?? 0) * perBlock + host}`;
}

const kinds = ["", "client", "node", "sentinel"];
const perBlock = 254;
const greatestIndex = 256 * perBlock;
