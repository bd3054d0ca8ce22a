import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "sequence-not-saved",
  "The counter for tags belongs to the process, and a new process has a new one",
  "ADD-LOST",
);

export const createAdapter = () => pureAdapter({ ...orSetType, ...head, save: ({ set }) => ({ set, sequence: 0 }) });
