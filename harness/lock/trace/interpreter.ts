import type { TraceDetail } from "../../contracts/history.ts";
import { isScript, keysOf, scriptArguments } from "./command-keys.ts";
import type { ReadKey } from "./key-templates.ts";
import type { MonitorLine } from "./monitor-line.ts";

export type TracedCommand = Extract<TraceDetail, { kind: "command" }>;

/** What a line of MONITOR says about locks. */
export interface TracedLine {
  /** The lock's key; absent for commands on no key or on all. */
  key?: string;
  detail: TracedCommand;
}

export interface InterpreterOptions {
  node: number;
  readKey: ReadKey;
  /** `own`: a connection that watches, left out; `fault`: one by which the harness acts on the server. */
  whose(client: string): "own" | "fault" | "client";
}

/** Longer arguments, such as the text of a script, are cut to this many characters. */
const ARGUMENT_LENGTH = 64;
const ON_ALL_KEYS = new Set(["FLUSHALL", "FLUSHDB"]);
const OF_TRANSACTIONS = new Set(["MULTI", "EXEC", "DISCARD", "UNWATCH"]);

/**
 * Reads the lines of one node in their order: which of them act on a lock's key, and for the commands that a script
 * calls, which arguments it was called with and by whom.
 */
export function createInterpreter({ node, readKey, whose }: InterpreterOptions): (line: MonitorLine) => TracedLine[] {
  let script: { client: string; whose: "own" | "fault" | "client"; args: readonly string[] } | undefined;
  /** Clients that watch a lock's key: of others, nobody needs to know where a transaction begins and ends. */
  const watching = new Set<string>();

  return ({ serverMs, db, client, words }) => {
    const [name = "", ...args] = words;
    const command = name.toUpperCase();
    const inner = client === "lua";
    const by = inner ? (script?.whose ?? "client") : whose(client);
    if (!inner) {
      script = isScript(command) ? { client, whose: by, args: scriptArguments(args).map(cut) } : undefined;
    }
    if (by === "own") return [];
    const detailOf = (physicalKey: string): TracedCommand => ({
      kind: "command",
      node,
      db,
      serverMs,
      command,
      physicalKey,
      args: args.map(cut),
      client: by === "fault" ? "fault" : client,
      ...(inner && script ? { scriptArgs: script.args } : {}),
    });

    if (ON_ALL_KEYS.has(command)) return [{ detail: detailOf("") }];
    if (OF_TRANSACTIONS.has(command)) {
      if (!watching.has(client)) return [];
      if (command !== "MULTI") watching.delete(client);
      return [{ detail: detailOf("") }];
    }
    const traced = [...new Set(keysOf(command, args))].flatMap((physicalKey): TracedLine[] => {
      const key = readKey(db, physicalKey);
      return key === undefined ? [] : [{ key, detail: detailOf(physicalKey) }];
    });
    if (command === "WATCH" && traced.length > 0) watching.add(client);
    return traced;
  };
}

const cut = (text: string) => (text.length > ARGUMENT_LENGTH ? text.slice(0, ARGUMENT_LENGTH) : text);
