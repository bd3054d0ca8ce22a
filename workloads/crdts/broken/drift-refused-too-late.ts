import { type DocumentMessage, DocumentReplica, documentAdapter } from "../replicas/document.ts";
import { mutant } from "./shared/mutant.ts";

class DriftRefusedTooLate extends DocumentReplica {
  override receive({ stamp, document }: DocumentMessage): string | undefined {
    const wallMs = this.context.clock.now();
    this.clock = this.join(stamp, wallMs);
    if (this.refuses(stamp, wallMs)) return "CLOCK_DRIFT";
    this.document = this.merge(document);
    return undefined;
  }
}

const head = mutant(
  "drift-refused-too-late",
  "The message is refused, so it does not matter that the clock has been moved before the check",
  "REJECT-MUTATED",
);

export const createAdapter = () => documentAdapter({ ...head, replica: DriftRefusedTooLate });
