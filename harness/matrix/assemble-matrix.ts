import type { Scenario } from "../contracts/scenario.ts";
import type { MatrixCell, MatrixResult } from "../results/matrix-schema.ts";
import { sentence } from "../results/sentence.ts";
import type { Cell, CellOutcome, MatrixLock } from "./cell.ts";
import { whyNotApplicable } from "./cells.ts";
import type { Expectation } from "./self-test/expectations.ts";
import { judgeSelfTest } from "./self-test/judge-self-test.ts";

export type MatrixMeta = Pick<
  MatrixResult,
  "id" | "startedAt" | "durationMs" | "seed" | "argv" | "config" | "replay" | "tool" | "environment" | "warnings"
> & {
  /** Why it was cut short, if it was. */
  interrupted?: string;
  /** Verdicts that fail the run. Locks that are broken on purpose never do. */
  failOn: readonly MatrixCell["verdict"][];
  /** The command that runs one cell again. */
  replayOf(lock: MatrixLock, scenario: Scenario): string;
};

export interface MatrixRun {
  locks: readonly MatrixLock[];
  scenarios: readonly Scenario[];
  /** The cells of this run, or of this shard of it. */
  cells: readonly Cell[];
  outcomes: ReadonlyMap<string, CellOutcome>;
  /** For a self-test: what the cells are to come to. */
  expectations?: readonly Expectation[];
  meta: MatrixMeta;
}

/** The result of a matrix: pure, from what its cells came to. Cells that did not run are not in it. */
export function assembleMatrixResult({
  locks,
  scenarios,
  cells: planned,
  outcomes,
  expectations,
  meta,
}: MatrixRun): MatrixResult {
  const cells = locks.flatMap((lock) =>
    scenarios.flatMap((scenario): MatrixCell[] => {
      const why = whyNotApplicable(lock, scenario);
      if (why !== undefined) return [notApplicable(lock, scenario, why, meta)];
      const ran = planned
        .filter((cell) => cell.lock === lock && cell.scenario === scenario)
        .flatMap(({ id }) => outcomes.get(id) ?? []);
      return ran.length === 0 ? [] : [cellOf(lock, scenario, ran, meta)];
    }),
  );
  const { failOn, interrupted, id, startedAt, durationMs, seed, argv, config, replay, tool, environment, warnings } =
    meta;
  const failing = cells.filter(
    (cell) => failOn.includes(cell.verdict) && locks.find(({ name }) => name === cell.lock)?.family !== "broken",
  );
  const status = statusOf({
    ...{ interrupted, failing, failOn, cells },
    missing: planned.filter(({ id }) => !outcomes.has(id)).length,
  });
  const cutShort = status.status === "interrupted";
  const selfTest =
    expectations &&
    judgeSelfTest(expectations, ({ lock, scenario }) =>
      cells.find((cell) => cell.lock === lock && cell.scenario === scenario),
    );
  return {
    schema: "harness.result/1",
    kind: "matrix",
    ...{ id, startedAt, durationMs },
    ...(selfTest && !cutShort ? { status: selfTest.status, statusReason: selfTest.statusReason } : status),
    ...{ seed, argv, config, replay, tool, environment },
    findings: failing.flatMap(({ evidence }) => evidence),
    locks: locks.map(({ name, summary, family }) => ({ name, summary, brokenOnPurpose: family === "broken" })),
    scenarios: scenarios.map(({ name, summary }) => ({ name, summary })),
    cells,
    ...(selfTest ? { selfTest: selfTest.cases.map((each) => ({ ...each, checks: [...each.checks] })) } : {}),
    warnings,
  };
}

function notApplicable(lock: MatrixLock, scenario: Scenario, why: string, { replayOf }: MatrixMeta): MatrixCell {
  const reason = sentence(why);
  return {
    ...{ lock: lock.name, scenario: scenario.name, verdict: "not-applicable", reason },
    ...{ checks: [], n: 0, broke: 0, durationMs: 0, evidence: [], replay: replayOf(lock, scenario) },
  };
}

/** The worst of its runs speaks for a cell; one that reached no verdict says nothing beside one that did. */
const RANK: readonly CellOutcome["verdict"][] = ["broke", "hung", "held", "unknown"];

function cellOf(
  lock: MatrixLock,
  scenario: Scenario,
  ran: readonly CellOutcome[],
  { replayOf }: MatrixMeta,
): MatrixCell {
  const worst = [...ran].sort((a, b) => RANK.indexOf(a.verdict) - RANK.indexOf(b.verdict))[0]!;
  const judged = ran.filter(({ verdict }) => verdict !== "unknown").length;
  const bad = ran.filter(({ verdict }) => verdict === "broke" || verdict === "hung");
  const some = judged > 0 && judged < ran.length ? ` (${judged} of ${ran.length} runs reached a verdict.)` : "";
  return {
    lock: lock.name,
    scenario: scenario.name,
    verdict: worst.verdict,
    reason: `${worst.reason}${some}`,
    checks: [...new Set([worst, ...bad].flatMap(({ checks }) => checks))],
    n: judged === 0 ? ran.length : judged,
    broke: bad.length,
    durationMs: ran.reduce((sum, { durationMs }) => sum + durationMs, 0),
    evidence: worst.findings.map((finding) => ({
      ...finding,
      evidence: finding.evidence.map((event) => ({ ...event })),
    })),
    ...(worst.faults === undefined ? {} : { faults: [...worst.faults] }),
    replay: replayOf(lock, scenario),
  };
}

function statusOf({
  interrupted,
  failing,
  failOn,
  cells,
  missing,
}: {
  interrupted: string | undefined;
  failing: readonly MatrixCell[];
  failOn: readonly string[];
  cells: readonly MatrixCell[];
  missing: number;
}): Pick<MatrixResult, "status" | "statusReason"> {
  if (interrupted !== undefined || missing > 0) {
    const left = missing > 0 ? ` ${missing} cells are still to run: --resume goes on with them.` : "";
    return { status: "interrupted", statusReason: `${interrupted ?? "It was cut short."}${left}` };
  }
  if (failing.length > 0) {
    const named = failing.slice(0, 5).map(({ lock, scenario, verdict }) => `${lock} in ${scenario} ${verdict}`);
    const more = failing.length > 5 ? ` and ${failing.length - 5} more` : "";
    return { status: "failed", statusReason: `--fail-on ${failOn.join(",")}: ${named.join("; ")}${more}.` };
  }
  const unjudged = whyNoVerdict(cells);
  if (unjudged !== undefined) return { status: "unknown", statusReason: unjudged };
  const rule = failOn.length > 0 ? `none fell under --fail-on ${failOn.join(",")}` : "whatever broke is in the table";
  return { status: "passed", statusReason: `Every cell ran; ${rule}.` };
}

/** Why not one cell reached a verdict; undefined where one did. Such a run says nothing of any lock. */
function whyNoVerdict(cells: readonly MatrixCell[]): string | undefined {
  if (cells.some(({ verdict }) => verdict !== "unknown" && verdict !== "not-applicable")) return undefined;
  const example = cells.find(({ verdict }) => verdict === "unknown") ?? cells[0];
  if (!example) return "No cell was to run.";
  const what = example.verdict === "unknown" ? "No cell reached a verdict" : "No scenario applies";
  return `${what}, such as ${example.lock} in ${example.scenario}: ${example.reason}`;
}
