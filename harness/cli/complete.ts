import { flagName, flagText } from "../config/option.ts";
import type { Command } from "./command.ts";
import { commandIndex } from "./commands/index.ts";

/** The names that may stand as the value of an option, loaded when they are asked for. */
const names: Readonly<Record<string, () => Promise<readonly { name: string }[]>>> = {
  lock: async () => (await import("../../workloads/locks/registry.ts")).lockRegistry,
  job: async () => (await import("../../workloads/jobs/registry.ts")).jobRegistry,
  queue: async () => (await import("../../workloads/queues/registry.ts")).queueRegistry,
  scenario: async () => (await import("../../workloads/scenarios/registry.ts")).scenarioRegistry,
  crdt: async () => (await import("../../workloads/crdts/registry.ts")).crdtRegistry,
  reporter: async () => (await import("../../reports/registry.ts")).builtInReporters,
  faults: async () => (await import("../faults/profiles.ts")).faultProfiles,
};

/**
 * What may come next on a command line.
 * @param words the words after `harness` before the one being typed
 * @param current what is typed of that one
 */
export async function complete(words: readonly string[], current: string): Promise<string[]> {
  const all = await candidates(words, current);
  return all.filter((candidate) => candidate.startsWith(current));
}

async function candidates(words: readonly string[], current: string): Promise<string[]> {
  const [name, ...rest] = words;
  if (name === undefined) return [...commandIndex.map((entry) => entry.name), "--help", "--version"];
  const command = await commandIndex.find((entry) => entry.name === name)?.load();
  if (!command) return name === "help" ? commandIndex.map((entry) => entry.name) : [];
  const values = await valuesOf(command, rest.at(-1));
  if (values) return values;
  if (current.startsWith("-"))
    return [...Object.entries(command.options).map(([key, data]) => flagText(key, data)), "--help"];
  const place = rest.filter((word) => !word.startsWith("-")).length;
  const positional = command.positionals?.[Math.min(place, command.positionals.length - 1)];
  return [...(positional?.choices ?? [])];
}

/** The values of the option that was typed last, if it takes one. */
async function valuesOf(command: Command, last: string | undefined): Promise<string[] | undefined> {
  const found = Object.entries(command.options).find(([key, { boolean }]) => !boolean && `--${flagName(key)}` === last);
  if (!found) return undefined;
  const [key, { choices }] = found;
  return [...(choices ?? (await names[key]?.())?.map(({ name }) => name) ?? [])];
}
