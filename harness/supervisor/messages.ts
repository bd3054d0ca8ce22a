import { z } from "zod";

/** What the orchestrator tells its supervisor: one JSON document a line, on the supervisor's standard input. */
export const orderSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("own"), pid: z.int().positive(), startTime: z.string() }),
  z.object({ type: z.literal("disown"), pid: z.int().positive() }),
  z.object({ type: z.literal("own-folder"), path: z.string() }),
  z.object({ type: z.literal("disown-folder"), path: z.string() }),
  z.object({ type: z.literal("own-command"), command: z.array(z.string()).min(1) }),
  z.object({ type: z.literal("disown-command"), command: z.array(z.string()).min(1) }),
  /** The orderly end. Without it, the end of the pipe means that the orchestrator died. */
  z.object({ type: z.literal("close") }),
]);

export type Order = z.infer<typeof orderSchema>;

/** What was still there at the end, and what became of it. */
export const cleanupReportSchema = z.object({
  /** Processes that had to be killed. */
  killed: z.array(z.int()),
  /** Folders that had to be removed. */
  removed: z.array(z.string()),
  /** One sentence for each thing that could not be cleaned up. */
  failed: z.array(z.string()),
});

export type CleanupReport = z.infer<typeof cleanupReportSchema>;

/** What the supervisor tells the orchestrator, in the same form, on its standard output. */
export const noticeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("cleaned"), report: cleanupReportSchema }),
]);

export type Notice = z.infer<typeof noticeSchema>;

export function toLine(message: Order | Notice): string {
  return `${JSON.stringify(message)}\n`;
}
