import type { LockPlan } from "../../contracts/lock-plan.ts";
import type { LockProgress } from "../../lock/orchestrator/run.ts";
import type { Progress } from "../progress.ts";

const EVERY_MS = 500;

/** What a round takes beside its load, on the whole: connecting, draining, ending. Corrected by what is measured. */
const FIRST_GUESS_MS = 4_000;

/** Draws the progress of a lock run, asked at the given moments and in between. */
export function showLockProgress(plan: LockPlan, progress: Progress) {
  const startedMs = performance.now();
  const turns = plan.rounds.reduce((sum, { order }) => sum + order.length, 0);
  let latest: LockProgress | undefined;
  let turnStartedMs = startedMs;
  let perTurnMs = plan.roundMs + FIRST_GUESS_MS;
  let violations = 0;

  async function draw(): Promise<void> {
    const elapsedMs = performance.now() - startedMs;
    if (!latest) {
      progress.update({ phase: "starting servers and workers", elapsedMs });
      return;
    }
    const { phase, arm, round, rounds } = latest;
    const jobs = latest.jobsSent();
    const seconds = Math.max(1, (performance.now() - turnStartedMs) / 1_000);
    // A count that cannot be had right now, since the witness is busy, is no reason to show nothing.
    violations = await latest.surplusEffects().catch(() => violations);
    progress.update({
      phase: `round ${round} of ${rounds}, ${arm}: ${phase}`,
      elapsedMs,
      totalMs: Math.max(elapsedMs, perTurnMs * turns),
      ...(phase === "load" && jobs > 0 ? { rate: { perSecond: jobs / seconds, unit: "jobs" } } : {}),
      violations,
      faults: latest.activeFaults(),
    });
  }

  const timer = setInterval(() => void draw(), EVERY_MS);
  void draw();
  return {
    at(next: LockProgress): void {
      if (next.phase === "load") {
        turnStartedMs = performance.now();
        if (next.done > 0) perTurnMs = (turnStartedMs - startedMs) / next.done;
      }
      latest = next;
      void draw();
    },
    end(): void {
      clearInterval(timer);
      progress.end();
    },
  };
}
