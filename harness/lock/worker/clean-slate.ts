/** What a lock that was closed may have left behind, and what would go on in the work that follows. */
const KINDS = new Set(["Timeout", "TCPSocketWrap", "TCPServerWrap", "TLSWrap", "MessagePort", "Worker"]);
const LOOKS = 20;
const LOOK_EVERY_MS = 5;

/**
 * Notes what is open now. The function that it gives tells whether, within a tenth of a second, nothing more is open than
 * that: then the process can do other work as if it were new.
 */
export function cleanSlate(
  openNow: () => readonly string[] = () => process.getActiveResourcesInfo(),
): () => Promise<boolean> {
  const before = count(openNow());
  return async () => {
    for (let look = 0; look < LOOKS; look += 1) {
      if (count(openNow()) <= before) return true;
      // By the next turn of the loop its own timer is no longer among those that are open.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), LOOK_EVERY_MS));
    }
    return false;
  };
}

const count = (open: readonly string[]): number => open.filter((kind) => KINDS.has(kind)).length;
