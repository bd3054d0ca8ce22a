/** How far a command is. */
export interface ProgressState {
  /** What happens now: `round 2 of 3, set-nx`. */
  phase: string;
  /** How much of it is done, where that is no time: `12 % of about 40,000 schedules`. */
  done?: string;
  elapsedMs: number;
  /** Of the whole command, if it can be known. */
  totalMs?: number;
  rate?: { perSecond: number; unit: string };
  violations?: number;
  /** The faults in force. */
  faults?: readonly string[];
}

/** Shows progress on stderr: one line drawn over again on a terminal, a plain line every few seconds elsewhere. */
export interface Progress {
  update(state: ProgressState): void;
  /** A message that stays, above the line. */
  note(text: string): void;
  /** Takes the line away. */
  end(): void;
}

export interface ProgressOptions {
  write(text: string): void;
  inPlace: boolean;
  quiet: boolean;
  width: number;
  /** Monotonic time in ms. */
  now(): number;
}

const plainEveryMs = 5_000;
/** A new phase is told sooner, but phases that follow each other quickly do not flood a log. */
const plainPhaseMs = 1_000;
const drawEveryMs = 100;

export function createProgress({ write, inPlace, quiet, width, now }: ProgressOptions): Progress {
  let shown = false;
  let lastAtMs = Number.NEGATIVE_INFINITY;
  let lastPhase = "";
  const clear = () => {
    if (shown) write("\r\u001b[2K");
    shown = false;
  };
  return {
    update(state) {
      if (quiet) return;
      const sinceMs = now() - lastAtMs;
      const isNew = state.phase !== lastPhase;
      const everyMs = inPlace ? (isNew ? 0 : drawEveryMs) : isNew ? plainPhaseMs : plainEveryMs;
      if (sinceMs < everyMs) return;
      lastAtMs = now();
      lastPhase = state.phase;
      if (!inPlace) {
        write(`${formatProgress(state)}\n`);
        return;
      }
      write(`\r\u001b[2K${formatProgress(state, width - 1)}`);
      shown = true;
    },
    note(text) {
      clear();
      write(`${text}\n`);
    },
    end: clear,
  };
}

/** One line, at most `width` columns: what matters most stands first, and what does not fit is left out. */
export function formatProgress(state: ProgressState, width = Number.POSITIVE_INFINITY): string {
  const { phase, done, elapsedMs, totalMs, rate, violations, faults } = state;
  const time = totalMs === undefined ? clock(elapsedMs) : `${clock(elapsedMs)} of ${clock(totalMs)}`;
  const pieces = [
    phase,
    ...(done === undefined ? [] : [done]),
    time,
    ...(rate ? [`${formatRate(rate.perSecond)} ${rate.unit}/s`] : []),
    ...(violations === undefined ? [] : [violations === 1 ? "1 violation" : `${violations} violations`]),
    ...(faults && faults.length > 0 ? [faults.join(" + ")] : []),
  ];
  let line = "";
  for (const piece of pieces) {
    const longer = line === "" ? piece : `${line} · ${piece}`;
    if (longer.length > width) break;
    line = longer;
  }
  return line === "" ? phase.slice(0, Math.max(0, width)) : line;
}

const formatRate = (perSecond: number): string =>
  perSecond >= 100 ? Math.round(perSecond).toLocaleString("en") : String(Math.round(perSecond * 10) / 10);

/** `1:05`, `1:02:03`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
