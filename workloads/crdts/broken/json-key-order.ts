import { DocumentReplica, documentAdapter } from "../replicas/document.ts";
import type { Document } from "../types/document.ts";
import { mutant } from "./shared/mutant.ts";

/** The state that is compared, hashed or used as an ETag is its JSON, with keys in the order in which they came. */
class JsonKeyOrder extends DocumentReplica {
  private readonly order: string[] = [];

  override state(): unknown {
    const registers = new Map(this.document.fields.keys.map((key, at) => [key, this.document.fields.values[at]]));
    this.noteKeys(this.document);
    return JSON.stringify(this.order.map((key) => [key, registers.get(key)]));
  }

  override value(): unknown {
    this.noteKeys(this.document);
    return super.value();
  }

  private noteKeys({ fields }: Document): void {
    for (const key of fields.keys) if (!this.order.includes(key)) this.order.push(key);
  }
}

const head = mutant(
  "json-key-order",
  "States that are equal have the same JSON, so texts can be compared instead",
  "NOT-COMMUTATIVE",
  "LIVE-RELOAD",
);

export const createAdapter = () => documentAdapter({ ...head, replica: JsonKeyOrder });
