import { DocumentReplica, type DocumentSaved, documentAdapter } from "../replicas/document.ts";
import { mutant } from "./shared/mutant.ts";

class ValuesLostInCodec extends DocumentReplica {
  override save(): DocumentSaved {
    return JSON.parse(JSON.stringify(super.save()));
  }
}

const head = mutant("values-lost-in-codec", "JSON can write any value and read it again", "LIVE-RELOAD", "LOST-UPDATE");

export const createAdapter = () => documentAdapter({ ...head, replica: ValuesLostInCodec });
