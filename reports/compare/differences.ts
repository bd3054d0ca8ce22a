import type { Difference } from "../../harness/results/compare-schema.ts";
import { visible } from "../escape.ts";
import type { RunResult } from "../result.ts";

/** Keys of a configuration that may differ: what is under test, how long, and where the output goes. */
const loose = new Set(
  "lock control sideBySide resume crdt scenario rounds duration time schedules repeat out json reporter config quiet color noColor printConfig dryRun redisBin redis emitTest journal failOn shard label".split(
    " ",
  ),
);

/** What keeps two results from being compared, and what else differs between them. */
export function differencesOf(base: RunResult, head: RunResult): Difference[] {
  const list: Difference[] = [];
  const note = (what: string, a: unknown, b: unknown, blocking: boolean) => {
    const [left, right] = [text(a), text(b)];
    if (left !== right) list.push({ what, base: left, head: right, blocking });
  };
  note("kind", base.kind, head.kind, true);
  note("seed", base.seed, head.seed, true);
  for (const key of new Set([...Object.keys(base.config), ...Object.keys(head.config)])) {
    // Another part of a campaign has other schedules, as another seed has.
    const isOfSchedules = key === "shard" && base.kind === "converge";
    if (key !== "seed") note(key, base.config[key], head.config[key], isOfSchedules || !loose.has(key));
  }
  if (base.kind === "lock" && head.kind === "lock") {
    note("length of a round, ms", base.plan.roundMs, head.plan.roundMs, true);
    note("faults as planned", base.plan.faultsText, head.plan.faultsText, true);
    note("topology of the run", base.topology, head.topology, true);
  }
  if (base.kind === "converge" && head.kind === "converge") note("threads used", base.threads, head.threads, true);
  note("Node, major version", major(base.environment.node), major(head.environment.node), true);
  note("Redis, major version", major(base.environment.redis?.version), major(head.environment.redis?.version), true);
  note("CPU", base.environment.cpu, head.environment.cpu, false);
  note("cores", base.environment.cores, head.environment.cores, false);
  note(
    "Holdfast",
    `${base.tool.version} ${base.tool.commit ?? ""}`.trim(),
    `${head.tool.version} ${head.tool.commit ?? ""}`.trim(),
    false,
  );
  return list;
}

/** Why two results are refused, in one message; what it takes to compare them anyway. */
export function refusal(differences: readonly Difference[]): string | undefined {
  const blocking = differences.filter((difference) => difference.blocking);
  if (blocking.length === 0) return undefined;
  const list = blocking.map(
    ({ what, base, head }) => `${visible(what, 60)}: ${visible(base, 120)} against ${visible(head, 120)}`,
  );
  return `These results are not comparable. They differ in ${list.join("; ")}. --force compares them all the same.`;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "none";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "none");
}

function major(version: string | undefined): string | undefined {
  return /\d+/.exec(version ?? "")?.[0];
}
