import { formatJobTime } from "../../config/job-time.ts";
import { formatDurationMs, formatRate } from "../../config/units.ts";
import type { FaultDescription } from "../../contracts/fault.ts";
import type { LockPlan } from "../../contracts/lock-plan.ts";
import { formatFaults } from "../../faults/plan-language/format.ts";

/** What a reader must know about a plan that its figures do not show by themselves. */
export function planNotes(plan: LockPlan): string[] {
  const notes: string[] = [];
  if (plan.load.kind === "max") {
    notes.push(
      "Rate max acquires and releases unique keys: no queue, no job, no control and no faults; it measures cost only.",
    );
  } else if (plan.ack === "after") {
    notes.push(
      "With acknowledgement after the release no worker looks at its delivery; the control is then the article's own, and none-literal, being the same, is left out.",
    );
  }
  const anyFault = plan.rounds.some((round) => round.faults.length > 0);
  if (!anyFault && plan.load.kind === "open") {
    notes.push("Without faults the run measures cost only and shows nothing about safety.");
  }
  return notes;
}

/** The faults of a plan as text: one line for all rounds if they are the same, else one a round. */
export function faultsText(plan: LockPlan, descriptions: readonly FaultDescription[]): string {
  const texts = plan.rounds.map((round) => formatFaults(round.faults, descriptions) || "none");
  if (new Set(texts).size <= 1) return texts[0] ?? "none";
  return texts.map((text, index) => `round ${index + 1}: ${text}`).join("\n");
}

/** The explicit plan, for a person to read. */
export function describePlan(plan: LockPlan, descriptions: readonly FaultDescription[]): string {
  const { load, rounds, arms } = plan;
  const arrivals = rounds.reduce((sum, round) => sum + round.arrivals.length, 0);
  const facts: [string, string][] = [
    ["seed", String(plan.seed)],
    [
      "topology",
      `${plan.topology}, queue ${plan.queue.name} on ${plan.queueOn === "own" ? "a server of its own" : "the lock's server"}`,
    ],
    ["workers", `${plan.workers}, each handling up to ${plan.concurrency} jobs at once`],
    ["arms", arms.map(({ name, role }) => `${name} (${role})`).join(", ")],
    [
      "load",
      load.kind === "max"
        ? `as much as it takes, ${load.inFlight} in flight for each worker`
        : `${formatRate({ perMinute: load.perMinute })}, ${load.arrivals}, ${load.keys === "per-job" ? "a key for each job" : `${load.keys} keys`}: ${arrivals} jobs for each arm`,
    ],
    ["job", `${plan.job.name}, ${formatJobTime(plan.job.time)}`],
    [
      "lock",
      `TTL ${formatDurationMs(plan.ttlMs)}${plan.commandTimeoutMs === undefined ? "" : `, command timeout ${formatDurationMs(plan.commandTimeoutMs)}`}, fencing ${plan.fencing}`,
    ],
    [
      "queue",
      `visibility ${formatDurationMs(plan.visibilityMs)}, claims every ${formatDurationMs(plan.claimIntervalMs)}, acknowledged ${plan.ack} the lock, refused jobs: ${plan.onSkip}`,
    ],
    ["rounds", `${rounds.length} of ${formatDurationMs(plan.roundMs)}, every arm once in each`],
  ];
  const lines = facts.map(([name, text]) => `${name.padEnd(9)} ${text}`);
  for (const round of rounds) {
    const order = round.order.map((index) => arms[index]?.name).join(", ");
    lines.push("", `round ${round.round}: ${order}`);
    const faults = formatFaults(round.faults, descriptions, { separator: "\n  " });
    lines.push(`  ${faults || "no faults"}`);
  }
  return [...lines, "", ...planNotes(plan)].join("\n").trimEnd();
}
