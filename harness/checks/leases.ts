import type { LockPlan } from "../contracts/lock-plan.ts";
import { beliefsOf } from "./beliefs.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { clockErrorNs } from "./clock-error.ts";
import type { Execution, Operated, RoundIndex } from "./round-index.ts";
import { endOfRoundNs } from "./windows.ts";

/** A stretch in which a key may be taken at the servers, as far as the history can tell: never shorter than it was. */
export interface Lease {
  execution: Execution;
  startNs: number;
  endNs: number;
  /** Of an acquire of which nobody knows: it may have taken the key once, for a TTL, anywhere in the stretch. */
  isPossible?: true;
}

/**
 * The leases of each key, in the order in which they began. A grant's lasts until its release was confirmed, and without
 * that until a TTL after the last sign of it; an acquire of which nobody knows may have taken the key, too.
 */
export function leasesOf(index: RoundIndex, { ttlMs }: LockPlan): Map<string, Lease[]> {
  const ttlNs = ttlMs * 1e6;
  const { renewal, lease } = capabilitiesOf(index);
  const renewing = renewal === "auto";
  const leases = new Map<string, Lease[]>();
  const add = (key: string | undefined, lease: Lease) => {
    if (key === undefined) return;
    const others = leases.get(key);
    if (others) others.push(lease);
    else leases.set(key, [lease]);
  };
  for (const { key, execution, acquire, endNs: believedNs, errorNs } of beliefsOf(index)) {
    const startNs = (acquire.invoke ?? acquire.end).atNs;
    const released = execution.releases.find(({ end }) => end?.phase === "ok" && end.atNs >= startNs)?.end;
    const signs = [
      acquire.end.atNs,
      ...execution.extends.filter(mayHaveWorked).map((extend) => returnedNs(index, execution, extend)),
    ];
    const lastSign = Math.max(...signs, renewing ? believedNs : 0);
    const endNs = released ? released.atNs : lastSign + ttlNs;
    add(key, { execution, startNs: startNs - errorNs, endNs: endNs + errorNs });
  }
  for (const execution of index.executions.values()) {
    for (const acquire of execution.acquires) {
      if (acquire.invoke && (!acquire.end || acquire.end.phase === "info")) {
        const errorNs = clockErrorNs(index, execution);
        const endNs = returnedNs(index, execution, acquire) + ttlNs + errorNs;
        const startNs = acquire.invoke.atNs - errorNs;
        add(execution.key, { execution, startNs, endNs, ...(lease === "ttl" ? { isPossible: true } : {}) });
      }
    }
  }
  for (const list of leases.values()) list.sort((a, b) => a.startNs - b.startNs);
  return leases;
}

const mayHaveWorked = ({ end }: Operated) => end?.phase !== "fail";

/** When an operation returned; of one that never did, when its process died, or the round ended. */
function returnedNs(index: RoundIndex, { worker, incarnation }: Execution, { end }: Operated): number {
  return end?.atNs ?? index.incarnations.get(`${worker}.${incarnation}`)?.ended?.atNs ?? endOfRoundNs(index);
}
