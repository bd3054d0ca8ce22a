import { documentAdapter } from "../replicas/document.ts";
import { fieldsBy } from "./shared/fields-by.ts";
import { mutant } from "./shared/mutant.ts";
import { WRITES_ONLY } from "./shared/writes-only.ts";

const asText = ({ l, c, node }: { l: number; c: number; node: string }) => `${l}:${c}:${node}`;

const StampsAsStrings = fieldsBy((ours, theirs) =>
  asText(ours.timestamp) >= asText(theirs.timestamp) ? ours : theirs,
);

const head = mutant(
  "stamps-as-strings",
  "A timestamp is kept as text, and texts can be compared like numbers",
  "CAUSALITY",
);

export const createAdapter = () => documentAdapter({ ...head, fields: WRITES_ONLY, replica: StampsAsStrings });
