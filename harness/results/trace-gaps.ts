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
