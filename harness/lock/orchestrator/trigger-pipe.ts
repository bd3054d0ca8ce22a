import type { TriggerLine } from "../messages.ts";

export interface TriggerListeners {
  /** Resolves once the worker is seen stopped. */
  untilStopped(): Promise<void>;
  onTrigger(line: TriggerLine): void;
}

/**
 * Reads the lines by which a worker tells of its triggers. One that stops itself is passed on only once it has: a SIGCONT
 * sent between the line and the stop would be lost, and the worker would stay stopped for good.
 */
export function readTriggers(stream: NodeJS.ReadableStream, { untilStopped, onTrigger }: TriggerListeners): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) void pass(JSON.parse(line) as TriggerLine);
  });
  stream.on("error", () => {});

  async function pass(line: TriggerLine): Promise<void> {
    // One that is gone, or does not stop, is left to whoever acts on the trigger.
    if (line.stopsHere) await untilStopped().catch(() => {});
    onTrigger(line);
  }
}
