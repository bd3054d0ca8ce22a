import { expect, test } from "vitest";
import { armOf, runLock } from "./run-harness.ts";

// The checker under test: a lock that cannot be wrong, under trouble enough to break others.
test("no check finds anything against the mutex server, whatever happens to workers, network and Redis", async () => {
  const trouble = [
    "jitter(base=0.2ms, p99=3ms)",
    "redis-pause(at=1s, for=1.5s)",
    "worker-stop(on=grant, nth=4, target=worker:1, for=1.6s)",
    "worker-block(at=2s, target=worker:2, for=1.2s)",
    "worker-kill(at=2.5s, target=worker:3)",
    "worker-clock(offset=+60s, target=worker:4)",
  ].join(", ");
  const args = [
    "--lock",
    "mutex-server",
    "--ttl",
    "500ms",
    "--visibility",
    "300ms",
    "--keys",
    "6",
    "--rate",
    "600",
    "--no-control",
  ];
  const shape = ["--job-time", "lognormal(p50=150ms, p99=1.2s, max=1.5s)", "--duration", "4s", "--rounds", "1"];
  const { result } = await runLock([...args, ...shape, "--job", "invoice", "--faults", trouble, "--seed", "7"]);
  expect(result.findings.filter(({ inherent }) => !inherent)).toEqual([]);
  const lock = armOf(result, "mutex-server");
  expect(lock.jobs).toMatchObject({ concurrentDuplicates: 0, lost: 0 });
  expect(lock.jobs.skipped).toBeGreaterThan(0);
});
