import { setPriority } from "node:os";
import { messageOf } from "../../errors.ts";
import { StorageError } from "../../storage-error.ts";
import { carryOut } from "./carry-out.ts";
import type { FromJudge, ToJudge } from "./messages.ts";

/** The cells that run go first: their times count, and those of a judgement do not. */
const NICENESS = 2;

setPriority(NICENESS);

let before: Promise<void> = Promise.resolve();
process.on("message", ({ id, order }: ToJudge) => {
  // One after the other: side by side they would only take each other's time and memory.
  before = before.then(async () => {
    const judgement = await carryOut(order).catch((error: unknown) => ({
      error: { message: messageOf(error), storage: error instanceof StorageError },
    }));
    const reply: FromJudge =
      judgement !== undefined && "error" in judgement
        ? { id, ...judgement }
        : { id, ...(judgement === undefined ? {} : { judgement }) };
    process.send?.(reply);
  });
});
process.on("disconnect", () => process.exit());
