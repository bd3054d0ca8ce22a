import { writeSync } from "node:fs";
import { EVENT_KINDS, HEADER, STRIDE } from "../plan/event.ts";
import type { Watcher } from "../run/runner.ts";

/**
 * A journal for crashes that take the whole process along, as native code does: every schedule and every step is written
 * out before it runs. The last lines tell what ran last.
 */
export class Journal implements Watcher {
  private readonly file: number;
  private schedule: Int32Array = new Int32Array(HEADER);

  /** @param file open for appending */
  constructor(file: number) {
    this.file = file;
  }

  begin(index: number, schedule: Int32Array): void {
    this.schedule = schedule;
    this.write({ index, schedule: Array.from(schedule) });
  }

  before(event: number): void {
    const at = HEADER + event * STRIDE;
    const kind = EVENT_KINDS[this.schedule[at] ?? -1] ?? "the final exchange";
    this.write({ event, kind, arguments: Array.from(this.schedule.subarray(at + 1, at + STRIDE)) });
  }

  private write(line: unknown): void {
    writeSync(this.file, `${JSON.stringify(line)}\n`);
  }
}
