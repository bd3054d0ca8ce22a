import type { Evidence } from "../../harness/contracts/check.ts";

export interface Span {
  fromMs: number;
  toMs: number;
}

export interface Hold extends Span {
  key: string | undefined;
  /** Until when the library had promised the lock, ms; absent where it promised nothing. */
  claimEndsMs: number | undefined;
  /** True: the excerpt does not show its end. */
  open: boolean;
}

export interface LaneMark {
  atMs: number;
  kind: "grant" | "refused" | "effect" | "release" | "lost" | "ack" | "other";
  /** Number of the event in the excerpt, from 1. */
  number: number;
}

export interface Lane {
  worker: number;
  execution: string | undefined;
  holds: Hold[];
  marks: LaneMark[];
}

export interface FaultSpan extends Span {
  name: string;
  target: string;
  /** Worker that it hits; absent: it hits everyone. */
  worker: number | undefined;
}

export interface LaneDiagram {
  startMs: number;
  endMs: number;
  lanes: Lane[];
  faults: FaultSpan[];
  /** Where two holds of one key overlap. */
  overlaps: Span[];
}

/** What the workers of an excerpt did and believed, side by side. Times in ms since the first event. */
export function laneDiagram(evidence: readonly Evidence[]): LaneDiagram {
  const first = Math.min(...evidence.map(({ atNs }) => atNs));
  const ms = (event: Evidence) => (event.atNs - first) / 1e6;
  const endMs = Math.max(0, ...evidence.map(ms));
  const lanes = new Map<string, Lane>();
  for (const [index, event] of evidence.entries()) {
    if (event.worker === 0 || event.op === "fault" || event.op === "witness") continue;
    const lane = laneOf(lanes, event);
    addToLane(lane, event, ms(event), index + 1);
  }
  for (const lane of lanes.values()) for (const hold of lane.holds) if (hold.open) hold.toMs = endMs;
  const all = withoutStrays([...lanes.values()]);
  return { startMs: 0, endMs, lanes: all, faults: faultSpans(evidence, ms, endMs), overlaps: overlapsOf(all) };
}

/** What a process did outside any execution belongs to the first execution of its worker, if the excerpt has one. */
function withoutStrays(lanes: readonly Lane[]): Lane[] {
  return lanes.filter((lane) => {
    const home = lanes.find((other) => other !== lane && other.worker === lane.worker && other.execution !== undefined);
    if (lane.execution !== undefined || home === undefined) return true;
    home.marks.push(...lane.marks);
    home.marks.sort((a, b) => a.atMs - b.atMs);
    return false;
  });
}

function laneOf(lanes: Map<string, Lane>, event: Evidence): Lane {
  const place = `${event.worker} ${event.execution ?? ""}`;
  const known = lanes.get(place);
  if (known !== undefined) return known;
  const lane: Lane = { worker: event.worker, execution: event.execution, holds: [], marks: [] };
  lanes.set(place, lane);
  return lane;
}

function addToLane(lane: Lane, event: Evidence, atMs: number, number: number): void {
  const current = lane.holds.findLast(({ open }) => open);
  const granted =
    event.op === "acquire" && event.phase === "ok" && event.outcome !== "refused" && event.outcome !== "failed";
  if (granted) {
    lane.holds.push({ fromMs: atMs, toMs: atMs, key: event.key, claimEndsMs: claimEnd(event, atMs), open: true });
  } else if (current !== undefined && event.op === "extend" && event.phase === "ok") {
    current.claimEndsMs = claimEnd(event, atMs) ?? current.claimEndsMs;
  } else if (current !== undefined && endsHold(event)) {
    current.toMs = atMs;
    current.open = false;
  }
  lane.marks.push({ atMs, number, kind: markKind(event, granted) });
}

function endsHold({ op, phase, outcome }: Evidence): boolean {
  if (op === "release") return phase === "invoke";
  if (op === "worker") return outcome !== undefined && /crash|exit|kill/.test(outcome);
  return op === "lost";
}

function claimEnd({ atNs, promiseEndsAtNs, validUntilMs, wallMs }: Evidence, atMs: number): number | undefined {
  if (promiseEndsAtNs !== undefined) return atMs + Math.max(0, promiseEndsAtNs - atNs) / 1e6;
  return validUntilMs === undefined || wallMs === undefined ? undefined : atMs + (validUntilMs - wallMs);
}

function markKind({ op, outcome }: Evidence, granted: boolean): LaneMark["kind"] {
  if (granted) return "grant";
  if (op === "acquire" && outcome === "refused") return "refused";
  return op === "effect" || op === "release" || op === "lost" || op === "ack" ? op : "other";
}

function faultSpans(evidence: readonly Evidence[], ms: (event: Evidence) => number, endMs: number): FaultSpan[] {
  const spans: (FaultSpan & { id: string; healed: boolean })[] = [];
  for (const event of evidence) {
    if (event.op !== "fault" || event.phase === "fail") continue;
    const { name, target, id, forMs } = event.detail ?? {};
    const place = typeof id === "string" ? id : `${String(name)} ${String(target)}`;
    const running = spans.find((span) => span.id === place && !span.healed);
    if (running !== undefined && /heal|end/.test(event.outcome ?? "")) {
      running.toMs = ms(event);
      running.healed = true;
    } else if (running === undefined) {
      const fromMs = ms(event);
      spans.push({
        id: place,
        name: typeof name === "string" ? name : "fault",
        target: typeof target === "string" ? target : "",
        worker: workerOf(target),
        fromMs,
        toMs: typeof forMs === "number" ? Math.min(endMs, fromMs + forMs) : endMs,
        healed: false,
      });
    }
  }
  return spans.map(({ id: _, healed: __, ...span }) => span);
}

/** The worker that a target names: `worker:2` or `client:2`. */
export function workerOf(target: unknown): number | undefined {
  const match = typeof target === "string" ? /^(?:worker|client):(\d+)$/.exec(target) : null;
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

function overlapsOf(lanes: readonly Lane[]): Span[] {
  const holds = lanes.flatMap((lane) => lane.holds);
  return holds.flatMap((one, index) =>
    holds.slice(index + 1).flatMap((other) => {
      const fromMs = Math.max(one.fromMs, other.fromMs);
      const toMs = Math.min(one.toMs, other.toMs);
      return one.key === other.key && toMs > fromMs ? [{ fromMs, toMs }] : [];
    }),
  );
}
