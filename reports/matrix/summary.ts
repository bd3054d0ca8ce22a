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

/** The word for a verdict where "passed" would say too much: every cell ran, and not every lock was seen to hold. */
export function matrixWord(result: MatrixResult): string | undefined {
  const open = result.cells.some(({ verdict }) => verdict !== "held" && verdict !== "not-applicable");
  return result.status === "passed" && (open || unjudgedLocks(result).length > 0) ? "every cell ran" : undefined;
}

/** The result in one line. A lock none of whose cells reached a verdict neither held nor broke, and is named. */
export function matrixHeadline(result: MatrixResult): string {
  const { cells, locks } = result;
  if (result.status === "interrupted") return "Cut short: what was recorded until then is below.";
  const onPurpose = new Set(locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  const unjudged = unjudgedLocks(result);
  const sentences = [
    ...honestSentence(result, onPurpose),
    ...onPurposeSentence(result, onPurpose),
    ...(unjudged.length > 0 && unjudged.length < locks.length ? [`Nothing is known of ${names(unjudged)}.`] : []),
  ];
  if (unjudged.length === locks.length) return "Nothing was judged, so nothing is known of any lock.";
  const unknown = cells.filter(({ verdict, lock }) => verdict === "unknown" && !onPurpose.has(lock)).length;
  if (unknown > 0) sentences.push(`${plural(unknown, "cell")} did not reach a verdict.`);
  return sentences.join(" ");
}

function honestSentence({ cells, locks }: MatrixResult, onPurpose: ReadonlySet<string>): string[] {
  const honest = cells.filter(({ lock }) => !onPurpose.has(lock));
  const bad = honest.filter(isBad);
  const judged = locks.filter(({ name }) => honest.some((cell) => cell.lock === name && isJudged(cell)));
  if (judged.length === 0) return [];
  if (bad.length === 0) return [`${plural(judged.length, "lock")} held wherever a verdict was reached.`];
  const held = judged.filter(({ name }) => !bad.some((cell) => cell.lock === name));
  const partly = held.some(({ name }) => honest.some(({ lock, verdict }) => lock === name && verdict === "unknown"));
  const where = partly ? " wherever a verdict was reached" : "";
  const ran = honest.filter(({ verdict }) => verdict !== "not-applicable");
  return [
    `${bad.length} of ${plural(ran.length, "cell")} broke or hung${held.length > 0 ? `; nothing broke ${names(held)}${where}` : ""}.`,
  ];
}

function onPurposeSentence({ cells }: MatrixResult, onPurpose: ReadonlySet<string>): string[] {
  const judged = [...onPurpose].filter((lock) => cells.some((cell) => cell.lock === lock && isJudged(cell)));
  const seen = judged.filter((lock) => cells.some((cell) => cell.lock === lock && isBad(cell)));
  if (judged.length === 0) return [];
  return [
    `Of the locks that are broken on purpose, ${seen.length} of ${judged.length} ${seen.length === 1 ? "was" : "were"} found out.`,
  ];
}

const isBad = ({ verdict }: MatrixCell) => verdict === "broke" || verdict === "hung";
const isJudged = (cell: MatrixCell) => cell.verdict === "held" || isBad(cell);

/** Locks that no cell says anything of. */
function unjudgedLocks({ cells, locks }: MatrixResult): { name: string }[] {
  return locks.filter(({ name }) => !cells.some((cell) => cell.lock === name && isJudged(cell)));
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
