import type { JobModule } from "../../harness/contracts/job.ts";

/**
 * Reads the last invoice number of its account, works, and writes the next one with its fencing token: the witness refuses
 * it once a later holder has written. The control, which has no lock to mint a token, writes without one.
 */
export const job: JobModule["job"] = {
  needsFencing: true,
  async perform({ key, fencingToken, durationMs, signal, work, witness }) {
    const { value } = await witness.read(`account ${key}`);
    await work(durationMs, { signal });
    if (fencingToken === undefined) await witness.write(`account ${key}`, value + 1);
    else await witness.writeFenced(`account ${key}`, value + 1, fencingToken);
  },
};
