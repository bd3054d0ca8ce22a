import { messageOf } from "../../errors.ts";
import type { Journal } from "../journal.ts";

/**
 * Writes down what nobody handled, a rejection or an exception, at the last moment: the process then ends by it, as it
 * would without a harness around it.
 */
export function reportUnhandled(journal: Journal): () => void {
  const note = (error: unknown) => {
    journal.record({ op: "sample", phase: "info", detail: { unhandled: messageOf(error) } });
    journal.flush();
  };
  process.on("uncaughtExceptionMonitor", note);
  return () => process.off("uncaughtExceptionMonitor", note);
}
