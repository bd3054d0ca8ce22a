import type { HistoryEvent, TraceDetail } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { groupBy } from "./arms.ts";
import { type Belief, beliefsOf } from "./beliefs.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { claimOf } from "./claims.ts";
import { effectOf } from "./redis-commands.ts";
import type { Case } from "./report.ts";
import type { RoundIndex } from "./round-index.ts";
import { serverKeys } from "./server-keys.ts";
import { carriedOutNs } from "./trace-times.ts";
import { duration, excerpt, worker } from "./words.ts";

/** Less than asked by no more than this is rounding, or a margin of the library: a part of the TTL, and ms. */
const MARGIN_PART = 0.05;
const MARGIN_MS = 50;

/**
 * Grants whose key was given less time at the servers than was asked for. A library that names the end of its lease itself,
 * or that renews by itself, may ask for whatever it likes.
 */
export function shortLeases(index: RoundIndex, { ttlMs }: LockPlan): Case[] {
  if (capabilitiesOf(index).renewal === "auto") return [];
  const { holds, nodes } = serverKeys(index);
  const byToken = groupBy(holds, ({ token }) => token);
  const atNs = carriedOutNs(index);
  const quorum = Math.max(capabilitiesOf(index).nodes, nodes.size) / 2;
  return beliefsOf(index).flatMap((belief): Case[] => {
    if (claimOf(belief, { ttlMs, renewsByItself: false, atNs: belief.startNs }).basis !== "ttl") return [];
    const own = byToken.get(belief.acquire.end.token ?? "")?.filter(({ key }) => key === belief.key) ?? [];
    const short = own.flatMap(({ set, extensions }) => {
      const given = [set, ...extensions].filter((event) => atNs(event) <= belief.startNs).at(-1);
      const givenMs = given && relativeTtlMs(given);
      const isShort = givenMs !== undefined && givenMs < ttlMs * (1 - MARGIN_PART) - MARGIN_MS;
      return given && isShort ? [{ given, givenMs }] : [];
    });
    return short.length > quorum ? [describe(index, belief, short[0]!, ttlMs)] : [];
  });
}

/** The TTL of a command that gives it as a length; an end by the client's own clock is none. */
function relativeTtlMs({ detail }: HistoryEvent): number | undefined {
  const { command, args, serverMs } = detail as Extract<TraceDetail, { kind: "command" }>;
  if (command.endsWith("AT") || args.some((arg) => /^(px|ex)at$/i.test(arg))) return undefined;
  const effect = effectOf(command, args, serverMs);
  return effect?.kind === "write" || effect?.kind === "expire" ? (effect.ttlMs ?? undefined) : undefined;
}

function describe(
  index: RoundIndex,
  belief: Belief,
  { given, givenMs }: { given: HistoryEvent; givenMs: number },
  ttlMs: number,
): Case {
  const { node } = given.detail as unknown as TraceDetail;
  return {
    index,
    class: "short lease",
    weight: (ttlMs - givenMs) * 1e6,
    message: `Node ${node} was given ${duration(givenMs * 1e6)} for ${belief.key}; ${worker(belief.execution)} had asked for ${duration(ttlMs * 1e6)}, and believes to have it.`,
    evidence: () =>
      excerpt(
        [belief.acquire.invoke, `${worker(belief.execution)} asks for ${belief.key} for ${duration(ttlMs * 1e6)}`],
        [given, `the key is given ${duration(givenMs * 1e6)}`],
        [belief.acquire.end, "and no other time is named"],
      ),
  };
}
