import type { LockNode } from "../harness/contracts/lock-adapter.ts";

/** Options of Node's `tls.connect` for a node, in the form that ioredis and redis 3 take; none without TLS. */
export function tlsOptions({ tls, tlsServerName }: LockNode): { tls?: { servername?: string } } {
  if (!tls) return {};
  return { tls: tlsServerName === undefined ? {} : { servername: tlsServerName } };
}
