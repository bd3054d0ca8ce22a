import type { JobModule } from "../../harness/contracts/job.ts";

/**
 * Reads the last invoice number of its account, works, and writes the next one with its fencing token: the witness refuses
 * it once a later holder has written.
 */
export const job: JobModule["job"] = {
  needsFencing: true,
  async perform({ key, fencingToken, durationMs, signal, work, witness }) {
    if (fencingToken === undefined) throw new Error("an invoice needs a fencing token, and the lock minted none");
    const { value } = await witness.read(`account ${key}`);
    await work(durationMs, { signal });
    await witness.writeFenced(`account ${key}`, value + 1, fencingToken);
  },
};
