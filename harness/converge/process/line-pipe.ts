import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, UnavailableError } from "../../errors.ts";
import { noteChildPid } from "./child-pid.ts";

/**
 * A process that is asked in lines and answers in lines, while the caller waits: the runner knows no promises. Named
 * pipes, since the pipes that Node makes for a child cannot be waited on without its event loop.
 */
export class LinePipe {
  private readonly child: ChildProcess;
  private readonly input: number;
  private readonly output: number;
  private readonly shown: string;
  private buffered = Buffer.alloc(0);
  private readonly chunk = Buffer.alloc(1 << 16);
  isOpen = true;

  constructor(command: readonly string[], cwd: string | undefined) {
    this.shown = command.join(" ");
    const folder = mkdtempSync(join(tmpdir(), "holdfast-pipe-"));
    try {
      const [input, output] = [join(folder, "input"), join(folder, "output")];
      makePipes(input, output);
      // Both ends at once, so that opening waits for nobody; the child is given one end, and we keep the other.
      this.input = openSync(input, constants.O_RDWR);
      const childInput = openSync(input, constants.O_RDONLY);
      const both = openSync(output, constants.O_RDWR);
      this.output = openSync(output, constants.O_RDONLY);
      const childOutput = openSync(output, constants.O_WRONLY);
      this.child = spawn(command[0]!, command.slice(1), {
        stdio: [childInput, childOutput, "inherit"],
        ...(cwd === undefined ? {} : { cwd }),
      });
      // An error is seen as the end of its output.
      this.child.on("error", () => {});
      this.child.unref();
      for (const file of [childInput, both, childOutput]) closeSync(file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    noteChildPid(this.child.pid ?? 0);
  }

  /**
   * Sends a line and waits for the answer.
   * @throws Error when the process has ended
   */
  ask(line: string): string {
    const bytes = Buffer.from(`${line}\n`);
    // In pieces that a pipe takes whole, so that a process that answers before it has read all does not block both.
    for (let at = 0; at < bytes.length; ) at += writeSync(this.input, bytes, at);
    return this.readLine();
  }

  private readLine(): string {
    for (;;) {
      const end = this.buffered.indexOf(10);
      if (end >= 0) {
        const line = this.buffered.toString("utf8", 0, end);
        this.buffered = this.buffered.subarray(end + 1);
        return line;
      }
      const length = this.child.pid === undefined ? 0 : readSync(this.output, this.chunk);
      if (length === 0) {
        this.close();
        const why = this.child.pid === undefined ? "could not be started" : "ended";
        throw new Error(`The replicas' process (${this.shown}) ${why}`);
      }
      this.buffered = Buffer.concat([this.buffered, this.chunk.subarray(0, length)]);
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    noteChildPid(0);
    this.child.kill("SIGKILL");
    closeSync(this.input);
    closeSync(this.output);
  }
}

function makePipes(...paths: readonly string[]): void {
  try {
    execFileSync("mkfifo", ["-m", "600", ...paths]);
  } catch (error) {
    throw new UnavailableError(
      `Replicas in another process need named pipes, and mkfifo did not make any: ${messageOf(error)}`,
      { code: "NO_PIPES", cause: error },
    );
  }
}
