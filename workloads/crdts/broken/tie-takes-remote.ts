import { documentAdapter } from "../replicas/document.ts";
import { fieldsBy } from "./shared/fields-by.ts";
import { mutant } from "./shared/mutant.ts";

const TieTakesRemote = fieldsBy((ours, theirs) => {
  const [a, b] = [ours.timestamp, theirs.timestamp];
  return a.l > b.l || (a.l === b.l && a.c > b.c) ? ours : theirs;
});

const head = mutant(
  "tie-takes-remote",
  "With the same timestamp, what has just come in is the newer one",
  "DIVERGED",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () => documentAdapter({ ...head, replica: TieTakesRemote });
