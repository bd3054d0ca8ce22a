import { documentAdapter } from "../replicas/document.ts";
import { fieldsBy } from "./shared/fields-by.ts";
import { mutant } from "./shared/mutant.ts";

const TieKeepsLocal = fieldsBy((ours, theirs) => {
  const [a, b] = [ours.timestamp, theirs.timestamp];
  return b.l > a.l || (b.l === a.l && b.c > a.c) ? theirs : ours;
});

const head = mutant(
  "tie-keeps-local",
  "Two writes with the same timestamp hardly ever happen, and then what is here may stay",
  "DIVERGED",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () => documentAdapter({ ...head, replica: TieKeepsLocal });
