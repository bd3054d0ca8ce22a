import { Redis } from "ioredis";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import { quickest, type RoundTrip } from "../../measure/clock-alignment.ts";

const EVERY_MS = 200;
/** The quickest of so many counts: the others were held up somewhere. */
const BURST = 5;

export interface WitnessClock {
  close(): void;
}

/**
 * Asks the witness for its time again and again, and tells the quickest round trip of each burst.
 * @param now this side's monotonic clock, ns, from any zero
 * @param baseSeconds seconds since the epoch that the witness's answers are counted from
 */
export function watchWitnessClock(
  node: LockNode,
  { now, baseSeconds, onTrip }: { now(): number; baseSeconds: number; onTrip(trip: RoundTrip): void },
): WitnessClock {
  const client = new Redis({
    ...{ host: node.host, port: node.port, db: node.db },
    retryStrategy: (times) => Math.min(100, 10 * times),
    maxRetriesPerRequest: null,
  });
  client.on("error", () => {});
  let closed = false;
  const ask = async () => {
    const trips: RoundTrip[] = [];
    for (let count = 0; count < BURST && !closed; count++) {
      const sentNs = now();
      const [seconds, microseconds] = await client.time();
      const receivedNs = now();
      const serverNs = (Number(seconds) - baseSeconds) * 1e9 + Number(microseconds) * 1e3;
      trips.push({ sentNs, receivedNs, serverNs });
    }
    const best = quickest(trips);
    if (best && !closed) onTrip(best);
  };
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    if (closed) return;
    // An answer that never comes is followed by others after the connection is made again.
    ask()
      .catch(() => {})
      .finally(() => {
        timer = setTimeout(again, EVERY_MS);
      });
  };
  again();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      client.disconnect();
    },
  };
}

/** A monotonic clock that counts from now, ns. */
export function clockFromNow(): { zeroNs: bigint; now(): number } {
  const zeroNs = process.hrtime.bigint();
  return { zeroNs, now: () => Number(process.hrtime.bigint() - zeroNs) };
}
