import { createInterface } from "node:readline";
import { follow, noCharges } from "./charges.ts";
import { cleanUp } from "./cleanup.ts";
import { type Notice, orderSchema, toLine } from "./messages.ts";
import { realSystem } from "./system.ts";

/** Everything that a terminal, a shell or a careless kill sends. Only the end of the pipe ends a supervisor. */
const IGNORED_SIGNALS = ["SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT", "SIGUSR2", "SIGPIPE"] as const;

/**
 * The life of a supervisor: follows the orders on standard input until it ends, however that came about, then cleans
 * up what is left and ends by itself.
 */
export async function superviseFromStandardInput(runId: string): Promise<void> {
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => {});
  // The orchestrator, and the terminal of its standard error, may be gone.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  tell({ type: "ready" });

  const charges = noCharges();
  let orderly = false;
  for await (const line of createInterface({ input: process.stdin })) {
    // An orchestrator that was killed while it wrote leaves half a line.
    const order = orderSchema.safeParse(parseJson(line)).data;
    if (order?.type === "close") orderly = true;
    else if (order) follow(charges, order);
  }
  const report = await cleanUp(charges, realSystem(runId), orderly ? 1 : 4);
  if (orderly) tell({ type: "cleaned", report });
  else for (const failure of report.failed) process.stderr.write(`holdfast: ${failure}\n`);
}

function tell(notice: Notice): void {
  process.stdout.write(toLine(notice));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
