import { closeSync, openSync } from "node:fs";
import { writeWhole, writing } from "../../storage-error.ts";
import { EVENT_KINDS, HEADER, STRIDE } from "../plan/event.ts";
import type { Watcher } from "../run/runner.ts";

const ELSEWHERE = "another file with --journal";

/**
 * A journal for crashes that take the whole process along, as native code does: every schedule and every step is written
 * out before it runs. The last lines tell what ran last.
 * @throws StorageError where it cannot be written
 */
export class Journal implements Watcher {
  private readonly path: string;
  private readonly file: number;
  private schedule: Int32Array = new Int32Array(HEADER);

  /** @param path is appended to */
  constructor(path: string) {
    this.path = path;
    this.file = writing(path, () => openSync(path, "a"), ELSEWHERE);
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

  close(): void {
    closeSync(this.file);
  }

  private write(line: unknown): void {
    writing(this.path, () => writeWhole(this.file, `${JSON.stringify(line)}\n`), ELSEWHERE);
  }
}
