import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "id-reused",
  "A replica that lost its disk can come back under its old name, as the others will tell it what it knew",
  "LOST-UPDATE",
);

export const createAdapter = () => pureAdapter({ ...pnCounterType, ...head, survives: ["identity"] });
