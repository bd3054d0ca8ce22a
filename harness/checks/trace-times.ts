import type { HistoryEvent, TraceDetail } from "../contracts/history.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";

/** A receipt that seems later than this came after a step of the server's clock: the receipt alone counts then, ns. */
const MOST_LATE_NS = 5e9;

/**
 * When the commands of the trace were carried out, ns: the receipt less what it came late. The server's own time tells
 * how late, measured against the promptest receipt from that node. Never before the truth by more than that one's delay.
 */
export const carriedOutNs = remember((index: RoundIndex): ((event: HistoryEvent) => number) => {
  const promptest = new Map<number, number>();
  for (const event of index.trace) {
    const distanceNs = distanceOf(event);
    if (distanceNs === undefined) continue;
    const { node } = event.detail as unknown as TraceDetail;
    promptest.set(node, Math.min(promptest.get(node) ?? distanceNs, distanceNs));
  }
  return (event) => {
    const distanceNs = distanceOf(event);
    if (distanceNs === undefined) return event.atNs;
    const { node } = event.detail as unknown as TraceDetail;
    const lateNs = distanceNs - promptest.get(node)!;
    return lateNs <= MOST_LATE_NS ? event.atNs - lateNs : event.atNs;
  };
});

/** From the server's time to the receipt, in ns of two clocks without a common zero. */
function distanceOf({ atNs, detail }: HistoryEvent): number | undefined {
  return detail?.kind === "command" ? atNs - Number(detail.serverMs) * 1e6 : undefined;
}
