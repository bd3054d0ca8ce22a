import { jobRegistry } from "../../../workloads/jobs/registry.ts";
import { lockRegistry } from "../../../workloads/locks/registry.ts";
import { queueRegistry } from "../../../workloads/queues/registry.ts";
import { checkRegistry } from "../../checks/registry.ts";
import { flag } from "../../config/option.ts";
import { lockPresets } from "../../config/presets.ts";
import { availableTopologies, topologies } from "../../config/topologies.ts";
import type { FaultDescription } from "../../contracts/fault.ts";
import type { RegistryEntry } from "../../contracts/module-ref.ts";
import { faultProfiles } from "../../faults/profiles.ts";
import { faultRegistry } from "../../faults/registry.ts";
import { defineCommand } from "../command.ts";
import { table } from "../table.ts";
import { wrap } from "../wrap.ts";

/** A list: its rows as data for `--json`, and as text. */
interface Listing {
  summary: string;
  rows(): readonly { name: string; summary: string }[];
  text?(width: number): string[];
}

const workloads = (entries: readonly RegistryEntry[]) =>
  entries.map(({ name, summary, needsPackage }) => ({
    name,
    summary: needsPackage === undefined ? summary : `${summary} (needs ${needsPackage})`,
  }));

const listings: Readonly<Record<string, Listing>> = {
  locks: { summary: "Locks for --lock", rows: () => workloads(lockRegistry) },
  faults: { summary: "Faults for --faults, with their parameters", rows: () => faultRegistry, text: faultTexts },
  profiles: { summary: "Named fault plans for --faults", rows: () => faultProfiles },
  queues: { summary: "Queues for --queue", rows: () => workloads(queueRegistry) },
  jobs: { summary: "Jobs for --job", rows: () => workloads(jobRegistry) },
  checks: { summary: "Checks that a history goes through", rows: () => checkRegistry },
  topologies: {
    summary: "Redis topologies for --topology",
    rows: () => topologies.filter(({ name }) => (availableTopologies as readonly string[]).includes(name)),
  },
  presets: { summary: "Known stories for --preset", rows: () => lockPresets },
};

const group = "Output";

export const command = defineCommand({
  name: "list",
  summary: "Lists what there is, from the registries",
  positionals: [{ name: "WHAT", summary: "What to list", choices: Object.keys(listings) }],
  options: { json: flag({ group, summary: "One JSON document" }) },
  examples: [
    { command: "list faults", does: "every fault with its parameters" },
    { command: "list locks --json", does: "the locks, for a program" },
  ],
  run({ options, positionals: [what] }, io) {
    const listing = what === undefined ? undefined : listings[what];
    if (!listing) {
      const kinds = Object.entries(listings).map(([name, { summary }]) => ({ name, summary }));
      io.stdout(options.values.json ? json(kinds) : `${lines(rowsOf(kinds), io.width)}\n`);
      return 0;
    }
    const text = listing.text ?? ((width: number) => table(rowsOf(listing.rows()), width));
    io.stdout(options.values.json ? json(listing.rows()) : `${text(io.width).join("\n")}\n`);
    return 0;
  },
});

const rowsOf = (entries: readonly { name: string; summary: string }[]) =>
  entries.map(({ name, summary }) => [name, summary] as const);

const lines = (rows: readonly (readonly [string, string])[], width: number): string => table(rows, width).join("\n");

/** Functions (of registries whose entries do something) fall away. */
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function faultTexts(width: number): string[] {
  const shared = wrap(
    "Every fault takes at= (since the start of the round; default 0s), every=, for= (default: to the end of the round), or " +
      "on=grant|extend|release|effect|command(NAME, key) with nth= and after=; and target=, several joined with +: worker:2, " +
      "worker:any (drawn from the seed), node:all, client:1-node:3. random(faults=3, of=NAME+NAME, longest=1s) draws faults from the seed.",
    width,
  );
  return [...faultRegistry.flatMap((fault) => [...faultText(fault, width), ""]), ...shared];
}

function faultText(fault: FaultDescription, width: number): string[] {
  const { name, aliases = [], summary, parameters, targets, lasts, needsOwnServer } = fault;
  const title = aliases.length > 0 ? `${name} (also ${aliases.join(", ")})` : name;
  const facts = [
    `target: ${targets.join(" or ")}`,
    lasts ? "lasts" : "happens at one instant",
    ...(needsOwnServer ? ["only on servers that the run owns"] : []),
  ];
  const rows = Object.entries(parameters).map(([key, parameter]): [string, string] => {
    const kind = parameter.values?.join("|") ?? parameter.type;
    const preset = parameter.required
      ? "required"
      : parameter.default === undefined
        ? ""
        : `default ${parameter.default}`;
    return [`  ${key}=${kind}`, preset === "" ? parameter.summary : `${parameter.summary} (${preset})`];
  });
  const body = wrap(`${summary}. ${facts.join("; ")}.`, width - 2).map((line) => `  ${line}`);
  return [title, ...body, ...(rows.length > 0 ? table(rows, width) : [])];
}
