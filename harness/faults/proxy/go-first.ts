import { readFileSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * A network does not wait for a busy processor: while a fault is in force, and where it is allowed, this process goes
 * first. Not otherwise: who is woken for every single byte gets less done.
 */
export function goFirst(isWanted: boolean): void {
  attempt(() => {
    const priority = isWanted ? Math.min(usualPriority, urgentPriority) : usualPriority;
    if (getPriority() !== priority) setPriority(priority);
  });
  attempt(() => {
    if (isWanted === isSessionFirst || !leadsItsSession()) return;
    writeFileSync(sessionShare, String(isWanted ? urgentPriority : 0));
    isSessionFirst = isWanted;
  });
}

/** Not allowed, or no such thing here: delays are a little less exact while the machine is busy. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {}
}

/** Nobody else's share is touched: a process that runs in its user's session leaves that alone. */
function leadsItsSession(): boolean {
  // Behind the name, which may hold anything: state, parent, process group, session.
  const [, , , session] = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return Number(session) === process.pid;
}

const usualPriority = getPriority();
const urgentPriority = -10;
/** Linux shares the processor by session first (`sched_autogroup`): a priority counts among the processes of one only. */
const sessionShare = "/proc/self/autogroup";
let isSessionFirst = false;
