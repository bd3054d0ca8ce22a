import { performance } from "node:perf_hooks";
import type { Clock } from "../../contracts/clock.ts";
import type { ClockChange } from "../../faults/fault.ts";

/**
 * The worker's wall clock: `Date` and `performance.timeOrigin` of the whole process, so that libraries that read
 * `Date.now()` see it too. Must be installed before any of them loads. The monotonic clock is never touched.
 */
export interface WallClock extends Clock {
  change(change: ClockChange): void;
  /** Puts the true `Date` back. */
  uninstall(): void;
}

export function installWallClock(): WallClock {
  const TrueDate = globalThis.Date;
  const trueNow = TrueDate.now.bind(TrueDate);
  const trueOrigin = performance.timeOrigin;
  let offsetMs = 0;
  let speed = 1;
  /** True time since which `speed` has been in force. */
  let sinceMs = trueNow();

  const distance = () => (speed === 1 ? offsetMs : offsetMs + (trueNow() - sinceMs) * (speed - 1));
  const now = () => (speed === 1 && offsetMs === 0 ? trueNow() : Math.floor(trueNow() + distance()));

  globalThis.Date = dateReading(TrueDate, now);
  Object.defineProperty(performance, "timeOrigin", { configurable: true, get: () => trueOrigin + distance() });

  return {
    now,
    change({ offsetMs: offset, stepMs = 0, speed: nextSpeed }) {
      offsetMs = (offset ?? distance()) + stepMs;
      speed = nextSpeed ?? speed;
      sinceMs = trueNow();
    },
    uninstall() {
      globalThis.Date = TrueDate;
      Object.defineProperty(performance, "timeOrigin", { configurable: true, value: trueOrigin });
    },
  };
}

/** A `Date` whose idea of the present is `now`; given times are as ever. */
function dateReading(TrueDate: DateConstructor, now: () => number): DateConstructor {
  return new Proxy(TrueDate, {
    construct(target, args: unknown[], newTarget) {
      return Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget);
    },
    apply: () => new TrueDate(now()).toString(),
    get: (target, property, receiver) => (property === "now" ? now : Reflect.get(target, property, receiver)),
  });
}
