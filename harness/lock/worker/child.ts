import { getEachMessage, sendMessage } from "execa";
import { messageOf } from "../../errors.ts";
import { type Journal, openJournal } from "../journal.ts";
import type { FromWorker, ToWorker, WorkerAssignment } from "../messages.ts";
import { templatesOf } from "../trace/key-templates.ts";
import { endWithoutJournal } from "../worker-end.ts";
import { blockEventLoop, createBurden } from "./burden.ts";
import { cleanSlate } from "./clean-slate.ts";
import { loadWorkloads } from "./load-workloads.ts";
import { runSaturation } from "./saturation.ts";
import { openStation, type Station } from "./station.ts";
import { reportUnhandled } from "./unhandled.ts";
import type { WallClock } from "./wall-clock.ts";

/** The child's side of a worker: does what the orchestrator says, one message after the other, until `finish`, after which it may begin anew. */
export async function runWorker(clock: WallClock): Promise<void> {
  const tell = (message: FromWorker) => sendMessage(message as never);
  let assignment: WorkerAssignment | undefined;
  let workloads: Awaited<ReturnType<typeof loadWorkloads>> | undefined;
  let journal: Journal;
  let stopReporting: (() => void) | undefined;
  let station: Station | undefined;
  const burden = createBurden();
  const isClean = cleanSlate();
  // A rolling deployment: no more jobs, those that run end, then the process does.
  process.once("SIGTERM", () => {
    void (station?.close() ?? Promise.resolve()).finally(() => process.exit(0));
  });

  for await (const message of getEachMessage() as unknown as AsyncIterable<ToWorker>) {
    try {
      switch (message.type) {
        case "assign":
          assignment = message.assignment;
          workloads = await loadWorkloads(assignment);
          await tell({ type: "loaded" });
          break;
        case "connect":
          if (!assignment || !workloads) throw new Error("told to connect before it was assigned anything");
          journal = journalOf(assignment);
          stopReporting = reportUnhandled(journal);
          station = await openStation(assignment, workloads, clock, journal, ({ message: reason }) => {
            void tell({ type: "breach", reason }).catch(() => {});
          });
          // The checks judge a lock by what it says it can do.
          station.journal.record({
            ...{ op: "worker", phase: "info", outcome: "ready" },
            detail: { capabilities: station.lock.capabilities },
          });
          await tell({ type: "ready", keys: templatesOf(station.lock) ?? null });
          break;
        case "go":
          if (!station || !assignment) throw new Error("told to go before it was connected");
          if (assignment.saturation) runSaturation(station, assignment.saturation);
          else await station.takeJobs(message.triggers);
          break;
        case "clock":
          clock.change(message.change);
          await tell({ type: "done", id: message.id });
          break;
        case "block":
          blockEventLoop(message.durationMs);
          break;
        case "burden":
          await burden.set(message.threads);
          await tell({ type: "done", id: message.id });
          break;
        case "ping":
          await tell({ type: "done", id: message.id });
          break;
        case "finish":
          await burden.set(0);
          await station?.close();
          if (message.stays && (await isClean())) {
            [assignment, workloads, station] = [undefined, undefined, undefined];
            stopReporting?.();
            clock.change({ offsetMs: 0, speed: 1 });
            await tell({ type: "finished", stays: true });
            break;
          }
          await tell({ type: "finished", stays: false });
          process.exit(0);
      }
    } catch (error) {
      // Said to the orchestrator, which ends the run with this reason.
      await tell({ type: "refused", reason: messageOf(error) });
    }
  }
}

function journalOf({ journalFile: file, startedAtMonotonicNs, round, arm, worker, incarnation }: WorkerAssignment) {
  const onFailure = endWithoutJournal;
  try {
    return openJournal({ file, startedAtMonotonicNs, round, arm, worker, incarnation, onFailure });
  } catch (error) {
    return endWithoutJournal(error);
  }
}
