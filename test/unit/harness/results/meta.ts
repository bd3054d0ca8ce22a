import type { LockRunMeta } from "../../../../harness/results/assemble-lock.ts";

/** What a runner would say of a run. */
export const meta: LockRunMeta = {
  id: "lock-20260101T000000Z-abcdef",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 30_000,
  argv: ["lock"],
  config: {},
  replay: "harness lock --seed 1",
  tool: { version: "0.1.0", commit: null, dirty: null },
  environment: { node: "v20", os: "linux", cpu: "x", cores: 2 },
  plan: { file: "plan.json", sha256: "00", faultsText: "worker-stop(...)" },
  lookOf: () => ({ colour: "worker", pattern: "hatch" }),
};
