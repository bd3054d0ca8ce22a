import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { UsageError } from "../../errors.ts";
import { readDeclaration } from "./declaration.ts";
import { LinePipe } from "./line-pipe.ts";
import { ProcessReplica, type Step } from "./process-replica.ts";

export interface ProcessAdapterOptions {
  /** The program and its arguments: `["python3", "replica.py"]`. */
  command: readonly string[];
  /** Default: the harness's own. */
  cwd?: string;
}

/**
 * Replicas that live in a process of another language. It reads lines of JSON, each an array of steps, and answers each
 * with a line: an array of as many results. A step is an array, `[name, replica, ...]`, the replica being a number:
 *
 *     ["hello"]                                        -> the declaration: name, fields, encodings, network, ..., can
 *     ["reset"]                                        -> null; all replicas are forgotten
 *     ["create", replica, context]                     -> null
 *     ["load", replica, saved, context, lost]          -> null
 *     ["apply", replica, operation, wallMs]            -> null, or the code of a refusal
 *     ["export", replica, encoding, request]           -> the message, any JSON; null when there is nothing to send
 *     ["receive", replica, message, wallMs]            -> null, or the code of a refusal
 *     ["value", replica]   ["save", replica]           -> JSON
 *     and those that `can` lists: ["state", replica], ["version", replica], ["stamp", replica], ["tombstones", replica],
 *     ["collect", replica, cut], ["rights", replica, field, key]
 *
 * A result that is an object with the one property `error` is an exception. Operations, requests, contexts and cuts are
 * those of the contract. All declared parts of the contract that are data may stand in the declaration; `can` lists what
 * the replicas have of "state", "version", "collect", "tombstones", "stamp", "rights". A message of a type with `hlc` is
 * an object with the sender's `stamp`.
 * @throws UsageError when the process does not say what it is
 */
export function processAdapter({ command, cwd }: ProcessAdapterOptions): CrdtAdapter {
  if (command.length === 0) throw new UsageError("A process for replicas needs a command.", { code: "BAD_ADAPTER" });
  const line = new Line(command, cwd);
  const [answer] = line.ask([["hello"]]);
  const { adapter, can } = readDeclaration(answer, command.join(" "));
  let numbers = 0;
  return {
    ...adapter,
    create(context) {
      // The first replica of a schedule: those of the one before are gone.
      const isFirst = context.number === 1;
      if (isFirst) numbers = 0;
      const before: Step[] = isFirst ? [["reset"]] : [];
      return new ProcessReplica(line, can, numbers++, context, [...before, ["create"]]);
    },
    load: (saved, context, lost) => new ProcessReplica(line, can, numbers++, context, [["load", saved, lost ?? null]]),
  };
}

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
