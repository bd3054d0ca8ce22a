import { indexRound } from "../checks/round-index.ts";
import { MOST_LATE_NS, traceLateness } from "../checks/trace-times.ts";
import { duration } from "../checks/words.ts";
import type { ArmRound } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";

/** Where nodes of a lock arm were not watched for a while: what the checks that need a trace could not judge. */
export function traceGaps(armRounds: readonly ArmRound[], { arms }: LockPlan): string[] {
  return arms
    .filter(({ role }) => role === "lock")
    .flatMap(({ name }) => {
      const gaps = armRounds
        .filter(({ arm }) => arm === name)
        .flatMap(({ events }) =>
          events.flatMap(({ detail }) => (detail?.kind === "gap" ? [Number(detail.forNs)] : [])),
        );
      if (gaps.length === 0) return [];
      const totalNs = gaps.reduce((total, ns) => total + ns, 0);
      const times = gaps.length === 1 ? "once" : `${gaps.length} times`;
      return [
        `The command trace of ${name} was interrupted ${times}, for ${duration(totalNs)} in all, as by the end of a server: of locks held meanwhile, validity and ownership say nothing.`,
      ];
    });
}

/** Read later than this, the trace says when things happened by the servers' own clocks alone, ns. */
const LATE_NS = 250e6;

/** Where the trace of a lock arm was read late, or its times are not known: what that means for the checks. */
export function traceDelays(armRounds: readonly ArmRound[], { arms }: LockPlan): string[] {
  return arms
    .filter(({ role }) => role === "lock")
    .flatMap(({ name }) => {
      const indexes = armRounds.filter(({ arm }) => arm === name).map(indexRound);
      const late = indexes.flatMap((index) => [...traceLateness(index).values()]);
      const known = late.filter((lateNs) => lateNs <= MOST_LATE_NS);
      const commands = indexes.flatMap(({ trace }) => trace.filter(({ detail }) => detail?.kind === "command"));
      const worstNs = known.reduce((most, lateNs) => Math.max(most, lateNs), 0);
      const unknown = commands.length - known.length;
      return [
        ...(worstNs > LATE_NS
          ? [
              `The command trace of ${name} was read up to ${duration(worstNs)} late, as on a busy machine: its commands are timed by the servers' own clocks.`,
            ]
          : []),
        ...(unknown > 0
          ? [
              `Of ${unknown} of ${commands.length} traced commands of ${name} it is not known when they were carried out (a server's clock was moved, or they were read more than ${duration(MOST_LATE_NS)} late): they accuse nobody by their times.`,
            ]
          : []),
      ];
    });
}
