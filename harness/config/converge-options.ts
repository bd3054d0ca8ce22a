import { flag, listOption, option } from "./option.ts";
import { crdtArguments, duration, oneOf, redisUrl, seed, shard, text, whole, word } from "./value-types.ts";

const tested = "Under test";
const campaign = "Campaign";
const search = "Exhaustive search";
const agents = "Agents on other machines";

/** Name of the queue between campaigns and agents, on either side. */
export const agentQueue = option({
  group: agents,
  type: word,
  default: "shards",
  summary: "Name of the queue, where several teams share one Redis",
});

/** Options of `harness converge`. The key is the key in the configuration file, the flag the same in kebab case. */
export const convergeOptions = {
  crdt: listOption({
    group: tested,
    type: text("NAME|FILE"),
    default: ["document"],
    examples: ["document", "yjs", "./my-crdt.ts"],
    summary: "Replicated data type under test, by name or as a module of your own; several run one after the other",
  }),
  crdtArgs: option({
    group: tested,
    type: crdtArguments,
    examples: [`'{"maxDriftMs":300000}'`],
    summary: "Options for their adapters, as a JSON object",
  }),
  regions: option({ group: tested, type: whole({ min: 2, max: 9 }), default: "3", summary: "Replicas" }),
  zoo: flag({
    group: tested,
    summary: "Run what is broken on purpose, and see that each is found out by an oracle that belongs to it",
  }),
  oracles: option({
    group: tested,
    type: oneOf("tiers", "all"),
    default: "tiers",
    summary: "Ask the costly oracles for some schedules (tiers), or every oracle after every step (all)",
  }),

  ops: option({
    group: campaign,
    type: whole({ max: 1_000 }),
    default: "60",
    summary: "Events of a schedule, on the average",
  }),
  schedules: option({
    group: campaign,
    type: whole(),
    whenAbsent: "as many as the time gives",
    summary: "Schedules of each",
  }),
  time: option({
    group: campaign,
    type: duration(),
    whenAbsent: "10s, unless --schedules is given",
    summary: "Time for each",
  }),
  threads: option({
    group: campaign,
    type: whole({ min: 0, max: 256 }),
    whenAbsent: "one for each core",
    summary: "Threads; 0: one without a deadline for its steps, as a debugger needs it",
  }),
  seed: option({ group: campaign, type: seed, whenAbsent: "drawn", summary: "Seed of every schedule" }),
  index: option({
    group: campaign,
    type: whole({ min: 0 }),
    summary: "Run the schedule with this number alone, as the command that replays a failure does",
  }),
  shard: option({
    group: campaign,
    type: shard,
    examples: ["2/5"],
    summary: "Run one of n equal parts of the campaign",
  }),
  journal: option({
    group: campaign,
    type: text("FILE"),
    summary: "Write down each step before it runs, for crashes that take the process along",
  }),

  stepDeadline: option({
    group: campaign,
    type: duration(),
    whenAbsent: "5s",
    summary: "A step of a replica that takes longer than this hangs, and is a failure",
  }),
  emitTest: option({
    group: campaign,
    type: text("FILE"),
    examples: ["test/my-crdt.converge.test.ts"],
    summary: "Write a test file for vitest with the first counterexample by each oracle",
  }),

  agents: option({
    group: agents,
    type: redisUrl,
    examples: ["redis://queue.example:6379/3"],
    summary: "Have agents run the campaign: they take its parts from a BullMQ queue on this Redis (see harness agent)",
  }),
  shards: option({
    group: agents,
    type: whole({ max: 10_000 }),
    whenAbsent: "16",
    summary: "Parts to split it into: a lost agent costs no more than one",
  }),
  agentQueue,

  exhaustive: flag({ group: search, summary: "Search every schedule up to a depth instead of random ones" }),
  depth: option({
    group: search,
    type: whole({ max: 64 }),
    whenAbsent: "4",
    summary: "Events of the longest schedule",
  }),
  alphabet: option({
    group: search,
    type: oneOf("standard", "full"),
    whenAbsent: "standard",
    summary: "Which events the schedules are made of",
  }),
  symmetry: flag({
    group: search,
    default: "true",
    summary: "Search renamings of the regions too, which the order of their ids may tell apart",
  }),
} as const;
