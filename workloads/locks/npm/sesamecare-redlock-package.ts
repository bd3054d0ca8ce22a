import type { LockContext } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { npmPackages } from "./packages.ts";
import type { Redlock5, Redlock5Class } from "./redlock-5-family.ts";

/**
 * @sesamecare-oss/redlock, given the database: its scripts SELECT one, 0 unless told, whatever the connection's is.
 * It takes 0 to 15 and falls back to 0 for any other.
 * @throws Error for a database that it would silently replace
 */
export function makeSesamecareRedlock({
  nodes,
}: LockContext): (clients: ConstructorParameters<Redlock5Class>[0]) => Redlock5 {
  const { Redlock } = loadPackage<{ Redlock: Redlock5Class }>(npmPackages.sesamecareRedlock);
  const db = nodes[0]?.db ?? 0;
  if (db > 15) throw new Error(`@sesamecare-oss/redlock takes databases 0 to 15, and would use 0 instead of ${db}`);
  return (clients) => new Redlock(clients, { db });
}
