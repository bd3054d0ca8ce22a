import type { CellVerdict, MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { visible } from "../escape.ts";
import { enumerate, formatDuration, plural } from "../format.ts";

export const verdictWords: Record<
  CellVerdict,
  { sign: string; word: string; tone: "good" | "bad" | "plain" | "quiet" }
> = {
  held: { sign: "✓", word: "held", tone: "good" },
  broke: { sign: "✗", word: "broke", tone: "bad" },
  hung: { sign: "∞", word: "hung", tone: "bad" },
  unknown: { sign: "?", word: "unknown", tone: "plain" },
  "not-applicable": { sign: "–", word: "not applicable", tone: "quiet" },
};

/** The cell of a lock in a scenario; absent where it was not asked for. */
export function cellOf({ cells }: MatrixResult, lock: string, scenario: string): MatrixCell | undefined {
  return cells.find((cell) => cell.lock === lock && cell.scenario === scenario);
}

/** The word for a verdict where "passed" would say too much: every cell ran, and not every lock held. */
export function matrixWord({ status, cells }: MatrixResult): string | undefined {
  const open = cells.some(({ verdict }) => verdict !== "held" && verdict !== "not-applicable");
  return status === "passed" && open ? "every cell ran" : undefined;
}

/** The result in one line. */
export function matrixHeadline(result: MatrixResult): string {
  const { cells, locks } = result;
  if (result.status === "interrupted") return "Cut short: what was recorded until then is below.";
  const onPurpose = new Set(locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  const honest = cells.filter(({ lock }) => !onPurpose.has(lock));
  const isBad = ({ verdict }: MatrixCell) => verdict === "broke" || verdict === "hung";
  const bad = honest.filter(isBad);
  const tried = locks.filter(({ name }) => !onPurpose.has(name));
  const held = tried.filter(
    ({ name }) => honest.some((cell) => cell.lock === name) && !bad.some((cell) => cell.lock === name),
  );
  const ran = honest.filter(({ verdict }) => verdict !== "not-applicable");
  const sentences = [
    bad.length === 0
      ? `${plural(tried.length, "lock")} held wherever a verdict was reached.`
      : `${bad.length} of ${plural(ran.length, "cell")} broke or hung${held.length > 0 ? `; nothing broke ${names(held)}` : ""}.`,
  ];
  const seen = [...onPurpose].filter((lock) => cells.some((cell) => cell.lock === lock && isBad(cell)));
  if (onPurpose.size > 0)
    sentences.push(
      `Of the locks that are broken on purpose, ${seen.length} of ${onPurpose.size} ${seen.length === 1 ? "was" : "were"} found out.`,
    );
  const unknown = honest.filter(({ verdict }) => verdict === "unknown").length;
  if (unknown > 0) sentences.push(`${plural(unknown, "cell")} did not reach a verdict.`);
  return sentences.join(" ");
}

export function matrixSetting({ locks, scenarios, cells, seed, durationMs }: MatrixResult): string {
  return `${plural(locks.length, "lock")} × ${plural(scenarios.length, "scenario")}, ${plural(cells.length, "cell")}, seed ${seed}, ${formatDuration(durationMs)} in all.`;
}

/** "exclusion, fencing (3 of 5)". */
export function cellDetail({ verdict, checks, n, broke }: MatrixCell): string {
  const times = n > 1 && verdict !== "not-applicable" ? ` (${broke} of ${n})` : "";
  return `${checks.map((check) => visible(check, 40)).join(", ")}${times}`.trim();
}

function names(locks: readonly { name: string }[]): string {
  return locks.length > 4 ? plural(locks.length, "lock") : enumerate(locks.map(({ name }) => visible(name, 60)));
}
