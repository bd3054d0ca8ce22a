import type { Mutant } from "../../../../harness/contracts/crdt-adapter.ts";
import type { OracleName } from "../../../../harness/contracts/crdt-oracles.ts";

/** Name, summary and metadata of a CRDT that is broken on purpose. */
export interface MutantHead {
  name: string;
  summary: string;
  broken: Mutant;
}

/**
 * @param name the file's, without the folder
 * @param wrongThought what its author thought, in one sentence without a full stop
 * @param caughtBy the oracles that count as catching it
 */
export function mutant(
  name: string,
  wrongThought: string,
  ...caughtBy: readonly [OracleName, ...OracleName[]]
): MutantHead {
  return { name: `broken/${name}`, summary: wrongThought, broken: { wrongThought, caughtBy } };
}
