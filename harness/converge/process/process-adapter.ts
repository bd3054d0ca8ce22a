import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { UsageError } from "../../errors.ts";
import { readDeclaration } from "./declaration.ts";
import { Line, type Step } from "./line.ts";
import { ProcessReplica } from "./process-replica.ts";

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
