import type { HistoryEvent } from "../../contracts/history.ts";
import type { ExportFormat } from "./format.ts";

const FUNCTIONS: ReadonlySet<string> = new Set(["acquire", "extend", "release"]);

/**
 * The operations on locks as Jepsen writes a history, in EDN, for Knossos and other checkers of its kind. An execution is
 * a process: it does one thing after the other, and an operation without an end stays open. Arms and rounds are
 * histories of their own, told apart by `:arm` and `:round`: filter before checking.
 */
export const jepsen: ExportFormat = {
  name: "jepsen",
  summary: "The lock operations as Jepsen's EDN, for Knossos and other checkers",
  file: "history.edn",
  write({ events }) {
    const processes = new Map<string, number>();
    const lines = events.filter(isOperation).map((event, index) => {
      const who = `${event.round} ${event.arm} ${actor(event)}`;
      const process = processes.get(who) ?? processes.size;
      processes.set(who, process);
      return line(event, index, process);
    });
    return lines.map((text) => `${text}\n`).join("");
  },
};

/** A saturation benchmark takes a key of its own for each cycle, and names no execution. */
const actor = ({ execution, key }: HistoryEvent) => execution ?? key;

const isOperation = (event: HistoryEvent) => FUNCTIONS.has(event.op) && actor(event) !== undefined;

function line(event: HistoryEvent, index: number, process: number): string {
  const { atNs, round, arm, worker, op, phase, key, token, outcome, error } = event;
  const fields: [string, string][] = [
    [":index", String(index)],
    [":time", String(atNs)],
    [":process", String(process)],
    [":type", `:${phase}`],
    [":f", `:${op}`],
    [":value", `[${text(key)} ${text(token)}]`],
    ...optional(":outcome", outcome),
    ...optional(":error", error),
    [":worker", String(worker)],
    [":round", String(round)],
    [":arm", text(arm)],
  ];
  return `{${fields.map(([name, value]) => `${name} ${value}`).join(", ")}}`;
}

const optional = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, text(value)]];

/** A string of EDN has the escapes of JSON. */
const text = (value: string | undefined): string => (value === undefined ? "nil" : JSON.stringify(value));
