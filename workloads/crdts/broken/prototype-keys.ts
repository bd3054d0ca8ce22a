import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { mutant } from "./shared/mutant.ts";

class PrototypeKeys extends DocumentReplica {
  override value(): unknown {
    const { fields, ...others } = super.value() as { fields: ReadonlyMap<string, unknown> };
    const plain: Record<string, unknown> = {};
    for (const [key, value] of fields) plain[key] = value;
    return { fields: plain, ...others };
  }
}

const head = mutant("prototype-keys", "An object literal is a map from strings to values", "LOST-UPDATE", "CAUSALITY");

export const createAdapter = () => documentAdapter({ ...head, replica: PrototypeKeys });
