import type { ConvergeCrdt } from "../results/converge-schema.ts";
import type { CrdtRef } from "./adapter/crdt-ref.ts";
import type { StartHand } from "./campaign/hand.ts";
import type { ResolvedConverge } from "./converge-options.ts";

/** What is found of one CRDT. */
export interface CrdtRun {
  crdt: ConvergeCrdt;
  files: Record<string, string>;
  warnings: string[];
  interrupted: boolean;
}

/** Runs one CRDT with everything decided; `number` is its place among them. */
export type RunCrdt = (
  ref: CrdtRef,
  number: number,
  options: ResolvedConverge,
  startHand: StartHand,
) => Promise<CrdtRun>;
