import { remember } from "../checks/remember.ts";
import type { RoundIndex } from "../checks/round-index.ts";
import type { FaultWindow } from "../checks/windows.ts";

/** Faults that take a server away until it is back or another has its place. */
const TAKES_SERVER_AWAY = /^(redis-(kill|restart|power-loss|failover)|failover)$/;

/** How long after the injection an interruption may begin that still counts as its consequence, ns. */
const CONSEQUENCE_NS = 1e9;

/** When grants flowed again after a fault that took a server away: the end of their longest interruption since then. */
export function recoveryOf(
  { name, startNs, endNs }: Pick<FaultWindow, "name" | "startNs" | "endNs">,
  index: RoundIndex,
): { grantsAgainAfterMs?: number | null } {
  if (!TAKES_SERVER_AWAY.test(name)) return {};
  const grants = grantsOf(index);
  const before = grants.findLast((atNs) => atNs <= startNs) ?? startNs;
  const after = grants.filter((atNs) => atNs > startNs);
  if (after.length === 0) return { grantsAgainAfterMs: null };
  const latestBeginNs = Math.max(endNs, startNs + CONSEQUENCE_NS);
  let longest = { lengthNs: -1, endNs: startNs };
  let previous = before;
  for (const atNs of after) {
    if (previous > latestBeginNs) break;
    if (atNs - previous > longest.lengthNs) longest = { lengthNs: atNs - previous, endNs: atNs };
    previous = atNs;
  }
  return { grantsAgainAfterMs: (longest.endNs - startNs) / 1e6 };
}

/** The times of all grants of a round, in order, ns. */
const grantsOf = remember((index: RoundIndex): readonly number[] =>
  index.armRound.events.filter(({ op, phase }) => op === "acquire" && phase === "ok").map(({ atNs }) => atNs),
);
