import { setTimeout as sleep } from "node:timers/promises";

/** What keeps a process alive and takes time of its own to go: timers and connections. */
const KINDS = new Set(["Timeout", "TCPSocketWrap", "TCPServerWrap", "TLSWrap", "PipeWrap", "MessagePort", "Worker"]);
const LOOK_EVERY_MS = 10;

/**
 * Notes what is open now; the function that it gives waits until no more is open than that, at the longest so many ms,
 * and gives the kinds of what stayed, once each time.
 */
export function watchLeftovers(
  openNow: () => readonly string[] = () => process.getActiveResourcesInfo(),
): (limitMs: number) => Promise<string[]> {
  const before = openNow();
  return async (limitMs) => {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const left = beyond(openNow(), before);
      if (left.length === 0 || performance.now() > deadline) return left;
      // Its own timer has fired by the next look.
      await sleep(LOOK_EVERY_MS, undefined, { ref: true });
    }
  };
}

function beyond(now: readonly string[], before: readonly string[]): string[] {
  const known = [...before];
  return now.filter((kind) => {
    const at = known.indexOf(kind);
    if (at >= 0) known.splice(at, 1);
    return at < 0 && KINDS.has(kind);
  });
}
