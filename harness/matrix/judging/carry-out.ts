import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ArmRound } from "../../contracts/check.ts";
import type { Scenario } from "../../contracts/scenario.ts";
import { mergeJournals } from "../../history/merge.ts";
import { HISTORY_FILE, JOURNALS_FOLDER, journalsOf, readStoredHistory } from "../../history/stored.ts";
import { loadModule } from "../../load-module.ts";
import { readPlan } from "../../results/recheck.ts";
import { judgeCell, latest } from "../judge-cell.ts";
import type { Judgement, JudgeOrder } from "./messages.ts";

/**
 * Makes one history of a cell's journals and judges it.
 * @throws StorageError when the history cannot be written; the journals are as they were
 */
export async function carryOut({ folder, header, judge }: JudgeOrder): Promise<Judgement | undefined> {
  await mergeJournals(journalsOf(folder), { to: join(folder, HISTORY_FILE), header });
  rmSync(join(folder, JOURNALS_FOLDER), { recursive: true, force: true });
  if (!judge) return undefined;
  const { scenarios, fenced, durationMs } = judge;
  const scenario = await scenarioNamed(judge.scenario, scenarios);
  const plan = readPlan(folder);
  const { armRounds } = await readStoredHistory(folder);
  const late = latest(armRounds, plan);
  return {
    outcome: judgeCell({ plan, scenario, armRounds, fenced, durationMs }),
    ...(late === undefined ? {} : { late }),
    sound: !leftInDoubt(armRounds),
  };
}

async function scenarioNamed(name: string, path: string): Promise<Scenario> {
  const { scenarioRegistry } = await loadModule(path);
  const found = (scenarioRegistry as readonly Scenario[] | undefined)?.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`${path} has no scenario named ${name}`);
  return found;
}

/** Could a fault not be healed, or does something not answer? */
function leftInDoubt(armRounds: readonly ArmRound[]): boolean {
  return armRounds.some(({ events }) =>
    events.some(
      ({ op, outcome, error, detail }) =>
        (op === "fault" && detail?.action === "heal" && error !== undefined) ||
        (op === "round" && outcome === "no-answer"),
    ),
  );
}
