import { flag } from "../../config/option.ts";
import type { FaultDescription, MachineNeed } from "../../contracts/fault.ts";
import type { Scenario } from "../../contracts/scenario.ts";
import { defineCommand } from "../command.ts";
import { type Row, table } from "../table.ts";
import { wrap } from "../wrap.ts";

interface Listed {
  name: string;
  summary: string;
}

/** A list. Its registry is loaded when it is asked for, since some bring much with them. */
interface Listing {
  summary: string;
  load(): Promise<readonly Listed[]>;
  /** How it stands as text, where name and summary are not all. */
  text?(entries: readonly Listed[], width: number): string[];
}

const listings: Readonly<Record<string, Listing>> = {
  locks: {
    summary: "Locks for --lock",
    load: async () => (await import("../../../workloads/locks/registry.ts")).lockRegistry,
  },
  faults: {
    summary: "Faults for --faults, with their parameters",
    load: async () => (await import("../../faults/registry.ts")).faultRegistry,
    text: (faults, width) => faultTexts(faults as readonly FaultDescription[], width),
  },
  profiles: {
    summary: "Named fault plans for --faults",
    load: async () => (await import("../../faults/profiles.ts")).faultProfiles,
  },
  presets: {
    summary: "Known stories for --preset",
    load: async () => (await import("../../config/presets.ts")).lockPresets,
  },
  queues: {
    summary: "Queues for --queue",
    load: async () => (await import("../../../workloads/queues/registry.ts")).queueRegistry,
  },
  jobs: {
    summary: "Jobs for --job",
    load: async () => (await import("../../../workloads/jobs/registry.ts")).jobRegistry,
  },
  scenarios: {
    summary: "Scenarios for --scenario of harness matrix",
    load: async () => (await import("../../../workloads/scenarios/registry.ts")).scenarioRegistry.map(listedScenario),
  },
  topologies: {
    summary: "Redis topologies for --topology",
    async load() {
      return (await import("../../config/topologies.ts")).topologies;
    },
  },
  checks: {
    summary: "Checks that a history goes through",
    load: async () => (await import("../../checks/registry.ts")).checkRegistry,
  },
  crdts: {
    summary: "Replicated data types, those of databases and libraries, and broken ones",
    load: async () => (await import("../../../workloads/crdts/registry.ts")).crdtRegistry,
  },
  oracles: {
    summary: "Oracles that judge replicas",
    load: async () => (await import("../../converge/oracles/registry.ts")).ORACLES,
  },
  benchmarks: {
    summary: "Micro-benchmarks of harness bench",
    async load() {
      const { benchmarkRegistry } = await import("../bench/registry.ts");
      const { BenchServers } = await import("../bench/servers.ts");
      return benchmarkRegistry(new BenchServers({ redisBin: undefined, tell: () => {} }));
    },
  },
  reporters: {
    summary: "Reports for --reporter",
    load: async () => (await import("../../../reports/registry.ts")).builtInReporters,
  },
  scenes: {
    summary: "Scenes of harness lab",
    load: async () =>
      (await import("../../../workloads/lab/registry.ts")).labScenes.map(({ id, title }) => ({
        name: id,
        summary: title,
      })),
  },
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
  async run({ options, positionals: [what] }, io) {
    const listing = what === undefined ? overview : listings[what];
    const entries = (await listing?.load()) ?? [];
    const text = listing?.text ?? ((listed, width) => table(listed.map(rowOf), width));
    io.stdout(
      options.values.json ? `${JSON.stringify(entries, null, 2)}\n` : `${text(entries, io.width).join("\n")}\n`,
    );
    return 0;
  },
});

const overview: Listing = {
  summary: "What can be listed",
  load: async () => Object.entries(listings).map(([name, { summary }]) => ({ name, summary })),
};

const listedScenario = ({ name, summary, correctLock, reach }: Scenario) => ({
  name,
  summary: `${summary}. ${correctLock}`,
  correctLock,
  reachedIf: reach.map((condition) => condition.name),
});

const rowOf = ({ name, summary, ...more }: Listed): Row => {
  const { needsPackage } = more as { needsPackage?: string };
  return [name, needsPackage === undefined ? summary : `${summary} (needs ${needsPackage})`];
};

function faultTexts(faults: readonly FaultDescription[], width: number): string[] {
  const shared = wrap(
    "Every fault takes at= (since the start of the round; default 0s), every=, for= (default: to the end of the round), or " +
      "on=grant|extend|release|effect|command(NAME, key) with nth= and after=; and target=, several joined with +: worker:2, " +
      "worker:any (drawn from the seed), node:all, client:1-node:3. A command counts within the target; the fault is in force when the command has been applied and before its client is answered (with after=, the client is not kept waiting). random(faults=3, of=NAME+NAME, longest=1s) draws faults from the seed.",
    width,
  );
  return [...faults.flatMap((fault) => [...faultText(fault, width), ""]), ...shared];
}

export const machineNeeds: Readonly<Record<MachineNeed, string>> = {
  faketime: "takes libfaketime, which is fetched on Debian and Ubuntu",
  "small-disk": "takes root, to mount a small disk",
};

function faultText(fault: FaultDescription, width: number): string[] {
  const { name, aliases = [], summary, parameters, targets, topologies, lasts, needsOwnServer, needs } = fault;
  const title = aliases.length > 0 ? `${name} (also ${aliases.join(", ")})` : name;
  const facts = [
    `target: ${targets.join(" or ")}`,
    lasts ? "lasts" : "happens at one instant",
    ...(topologies ? [`takes --topology ${topologies.join(" or ")}`] : []),
    ...(needsOwnServer ? ["only on servers that the run owns"] : []),
    ...(needs === undefined ? [] : [machineNeeds[needs]]),
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
