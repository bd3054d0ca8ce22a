import type { MessagePort } from "node:worker_threads";
import { HarnessError, messageOf } from "../../errors.ts";
import { Bench } from "../campaign/bench.ts";
import { setChildPidCell } from "../process/child-pid.ts";
import { HEARTBEAT } from "./heartbeat.ts";
import type { Order, Reply, ThreadData } from "./messages.ts";

/** The life of a thread: carries out orders until it is terminated. */
export function serve(port: MessagePort, { heartbeat }: ThreadData): void {
  setChildPidCell(heartbeat, HEARTBEAT.childPid);
  const bench = new Bench(heartbeat);
  port.on("message", async (order: Order) => {
    port.postMessage(await carryOut(bench, order));
  });
}

async function carryOut(bench: Bench, { type, asked }: Order): Promise<Reply> {
  try {
    return { type: "done", answer: await bench.carryOut(type, asked) };
  } catch (error) {
    const isOwn = error instanceof HarnessError;
    return {
      type: "error",
      error: {
        message: isOwn || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message),
        code: isOwn ? error.code : undefined,
        exitCode: isOwn ? error.exitCode : undefined,
      },
    };
  }
}
