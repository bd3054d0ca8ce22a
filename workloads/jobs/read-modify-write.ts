import type { JobModule } from "../../harness/contracts/job.ts";

/**
 * Reads a counter that every job of its key shares, works, and writes it back one higher, without looking whether somebody
 * wrote in between: two at once, and one update is lost. Share keys between jobs with `--keys N`.
 */
export const job: JobModule["job"] = {
  async perform({ key, durationMs, signal, work, witness }) {
    const { value } = await witness.read(key);
    await work(durationMs, { signal });
    await witness.write(key, value + 1);
  },
};
