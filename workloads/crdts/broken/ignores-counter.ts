import { documentAdapter } from "../replicas/document.ts";
import { fieldsBy } from "./shared/fields-by.ts";
import { mutant } from "./shared/mutant.ts";
import { WRITES_ONLY } from "./shared/writes-only.ts";

const IgnoresCounter = fieldsBy((ours, theirs) => {
  const [a, b] = [ours.timestamp, theirs.timestamp];
  return a.l > b.l || (a.l === b.l && a.node >= b.node) ? ours : theirs;
});

const head = mutant(
  "ignores-counter",
  "The milliseconds and the node's id make a timestamp unique, so the counter need not be compared",
  "CAUSALITY",
);

export const createAdapter = () => documentAdapter({ ...head, fields: WRITES_ONLY, replica: IgnoresCounter });
