import type { JobModule } from "../../harness/contracts/job.ts";

/** Renders for a while, then sends the welcome e-mail: twice is what the customer notices. */
export const job: JobModule["job"] = {
  async perform({ durationMs, signal, work, witness }) {
    await work(durationMs, { signal });
    await witness.record("welcome e-mail");
  },
};
