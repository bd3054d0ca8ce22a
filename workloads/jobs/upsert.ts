import { createHash } from "node:crypto";
import type { JobModule } from "../../harness/contracts/job.ts";

/**
 * Works, then sets a row of its own to what follows from the job alone: done twice it is the same row. A job like this
 * needs no lock.
 */
export const job: JobModule["job"] = {
  idempotent: true,
  async perform({ job: name, durationMs, signal, work, witness }) {
    await work(durationMs, { signal });
    await witness.write(`row ${name}`, rowOf(name));
  },
};

/** What the row holds: a number that anybody can work out again from the job. */
function rowOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE();
}
