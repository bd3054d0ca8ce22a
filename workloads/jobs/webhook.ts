import type { JobModule } from "../../harness/contracts/job.ts";

/** Works, then calls a webhook: the receiver sees every call. */
export const job: JobModule["job"] = {
  async perform({ durationMs, signal, work, witness }) {
    await work(durationMs, { signal });
    await witness.record("webhook");
  },
};
