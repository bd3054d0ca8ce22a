import type { Status } from "../../harness/results/common-schema.ts";
import type { ComparedMetric, CompareResult, Correctness } from "../../harness/results/compare-schema.ts";
import { plural } from "../format.ts";
import type { RunResult } from "../result.ts";
import type { CompareOptions } from "./options.ts";

interface Compared {
  metrics: readonly ComparedMetric[];
  correctness: readonly Correctness[];
  rounds: CompareResult["rounds"];
  base: Pick<RunResult, "status">;
  head: Pick<RunResult, "status">;
}

export type Conclusion = Pick<CompareResult, "verdict" | "status" | "statusReason">;

/** Correctness first, then the gated metrics. Inconclusive fails only when asked to. */
export function conclude({ metrics, correctness, rounds, head }: Compared, options: CompareOptions): Conclusion {
  const broken = correctness.filter(({ fails }) => fails);
  const gated = metrics.filter((metric) => metric.gated);
  const regressed = gated.filter(({ verdict }) => verdict === "regressed");
  const inconclusive = gated.filter(({ verdict }) => verdict === "inconclusive");
  if (broken.length > 0)
    return outcome(
      "broke",
      "failed",
      `The head shows ${plural(broken.length, "violation")} that the base did not have; correctness is no statistic.`,
    );
  if (regressed.length > 0)
    return outcome(
      "regressed",
      "failed",
      `${plural(regressed.length, "metric")} of ${gated.length} became worse by more than the threshold, and not by chance.`,
    );
  if (head.status === "interrupted") return outcome("inconclusive", "unknown", "The head was interrupted.");
  if (gated.some(({ verdict }) => verdict === "improved"))
    return outcome("improved", strictly(inconclusive.length, options), improvement(gated, inconclusive.length));
  if (inconclusive.length > 0)
    return outcome(
      "inconclusive",
      strictly(inconclusive.length, options),
      whyInconclusive(inconclusive, rounds, options),
    );
  if (gated.length === 0) return outcome("unchanged", "passed", "There was nothing to gate on performance.");
  return outcome(
    "unchanged",
    "passed",
    `No violation appeared, and all ${plural(gated.length, "metric")} stayed within their thresholds.`,
  );
}

function outcome(verdict: Conclusion["verdict"], status: Status, statusReason: string): Conclusion {
  return { verdict, status, statusReason };
}

function strictly(inconclusive: number, { strict = false }: CompareOptions): Status {
  return strict && inconclusive > 0 ? "unknown" : "passed";
}

function improvement(gated: readonly ComparedMetric[], inconclusive: number): string {
  const improved = gated.filter(({ verdict }) => verdict === "improved").length;
  const rest = inconclusive > 0 ? ` ${plural(inconclusive, "other")} could not be told.` : "";
  return `No violation appeared, and ${plural(improved, "metric")} of ${gated.length} became better.${rest}`;
}

function whyInconclusive(
  inconclusive: readonly ComparedMetric[],
  { base, head, needed }: CompareResult["rounds"],
  { paired }: CompareOptions,
): string {
  const rounds = Math.min(base, head);
  if (rounds < needed) {
    return `Not enough rounds: ${plural(rounds, paired ? "pair" : "round")}, and it takes ${needed} to find a regression in so many metrics.`;
  }
  return `${plural(inconclusive.length, "metric")} could not be told: the interval reaches beyond the threshold${paired ? "" : ", or the rounds are not paired"}.`;
}
