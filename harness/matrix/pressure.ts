/** Tells from this process's own timers whether the machine keeps up with what runs on it. */
export interface Pressure {
  /** A timer came so late a short while ago that whatever begins now would make others late. */
  isHigh(): boolean;
  close(): void;
}

const EVERY_MS = 20;
/** Cells are spoilt by what comes 150 ms late: well before that nothing more is begun. */
const LATE_MS = 60;
/** How long after the last such timer it is calm again, ms. */
const CALM_AFTER_MS = 400;

export interface PressureOptions {
  nowMs?: () => number;
  /** Calls `tick` again and again, and gives what ends that. */
  repeat?: (tick: () => void, everyMs: number) => () => void;
}

export function watchPressure({ nowMs = () => performance.now(), repeat = byTimer }: PressureOptions = {}): Pressure {
  let lastMs = nowMs();
  let lateMs = Number.NEGATIVE_INFINITY;
  const end = repeat(() => {
    const atMs = nowMs();
    if (atMs - lastMs - EVERY_MS > LATE_MS) lateMs = atMs;
    lastMs = atMs;
  }, EVERY_MS);
  return {
    isHigh: () => nowMs() - lateMs < CALM_AFTER_MS,
    close: end,
  };
}

function byTimer(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
