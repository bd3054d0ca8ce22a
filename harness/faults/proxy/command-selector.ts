import type { FaultParameters } from "../../contracts/fault.ts";
import { keyPattern } from "./key-pattern.ts";
import { numberOf, textOf } from "./network-fault.ts";
import type { Command } from "./resp/command.ts";

/** Does the fault want this command? Counts those that match, over all connections, where only the nth is wanted. */
export type CommandSelector = (command: Command, random: () => number) => boolean;

/** A selector from the parameters command, key, script, probability and nth. */
export function commandSelector(parameters: FaultParameters): CommandSelector {
  const matches = commandMatcher(parameters);
  const probability = numberOf(parameters, "probability", 1);
  const nth = numberOf(parameters, "nth", 0);
  let count = 0;
  return (command, random) => {
    if (!matches(command) || (probability < 1 && random() >= probability)) return false;
    count++;
    return nth === 0 || count === nth;
  };
}

/** Does a command match the parameters command, key and script? */
export function commandMatcher(parameters: FaultParameters): (command: Command) => boolean {
  const forms = textOf(parameters, "command", "")
    .split("|")
    .map((form) => form.trim())
    .filter((form) => form !== "" && form !== "*")
    .map(formMatcher);
  const script = textOf(parameters, "script", "").toLowerCase();
  const pattern = textOf(parameters, "key", "");
  const matchesKey = pattern === "" ? undefined : keyPattern(pattern);
  return (command) =>
    (forms.length === 0 || forms.some((matches) => matches(command))) &&
    (script === "" || (command.scriptText?.toLowerCase().includes(script) ?? false)) &&
    (matchesKey === undefined || command.keys.some(matchesKey));
}

function formMatcher(form: string): (command: Command) => boolean {
  const [name = "", ...words] = form.toUpperCase().split(/\s+/);
  const names = scriptForms.get(name) ?? [name];
  return (command) => names.includes(command.name) && words.every((word) => command.hasWord(word));
}

/** A script is the same whether its text or its hash is sent. */
const scriptForms = new Map([
  ["EVAL", ["EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO"]],
  ["FCALL", ["FCALL", "FCALL_RO"]],
]);
