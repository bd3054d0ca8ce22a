import { LinePipe } from "./line-pipe.ts";

/** A step as it is asked for; the number of the replica comes second. */
export type Step = readonly [string, ...unknown[]];

/** Asks the process, and starts another when one has ended. */
export class Line {
  private readonly command: readonly string[];
  private readonly cwd: string | undefined;
  private pipe: LinePipe | undefined;

  constructor(command: readonly string[], cwd: string | undefined) {
    this.command = command;
    this.cwd = cwd;
  }

  /** @throws Error when the process ends, writes what is no answer, or answers with an error */
  ask(steps: readonly Step[]): readonly unknown[] {
    if (this.pipe?.isOpen !== true) this.pipe = new LinePipe(this.command, this.cwd);
    const answer = this.pipe.ask(JSON.stringify(steps));
    const results = parse(answer);
    if (!Array.isArray(results) || results.length !== steps.length) {
      this.pipe.close();
      const wanted = `an array of ${steps.length} results`;
      throw new Error(
        `The replicas' process (${this.command.join(" ")}) answered ${answer.slice(0, 200)}, which is not ${wanted}`,
      );
    }
    const failed = results.find(isError);
    if (failed !== undefined) throw new Error(String(failed.error));
    return results;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isError = (result: unknown): result is { error: unknown } =>
  typeof result === "object" && result !== null && "error" in result && Object.keys(result).length === 1;
