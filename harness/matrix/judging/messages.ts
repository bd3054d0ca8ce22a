import type { HistoryHeader } from "../../contracts/history.ts";
import type { CellOutcome } from "../cell.ts";

/** What a cell left in its folder, to be made one history of and judged. */
export interface JudgeOrder {
  /** The cell's own folder, with its plan and its journals. */
  folder: string;
  header: HistoryHeader;
  /** Absent: its history is to be whole, and nobody asks what it says, since the cell broke off. */
  judge?: {
    /** Module that exports `scenarioRegistry`. */
    scenarios: string;
    scenario: string;
    fenced: boolean;
    durationMs: number;
  };
}

export interface Judgement {
  outcome: CellOutcome;
  /** What came too late, if the machine was too busy for it. */
  late?: string;
  /** False: something was not healed, or does not answer, so that its servers are of no use to the next cell. */
  sound: boolean;
}

export interface ToJudge {
  id: number;
  order: JudgeOrder;
}

export type FromJudge =
  | { id: number; judgement?: Judgement }
  | { id: number; error: { message: string; storage: boolean } };
