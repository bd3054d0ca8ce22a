import { flag, listOption, option } from "./option.ts";
import { topologyNames } from "./topologies.ts";
import { duration, httpUrl, jobTime, keys, oneOf, rate, redisUrl, seed, text, whole, word } from "./value-types.ts";

const load = "Load";
const lock = "Lock";
const queue = "Queue";
const trouble = "Faults";
const servers = "Redis";
const hosts = "Other hosts";

/** What lets a host join a run; printed by the run, and given to harness worker. */
export const joinToken = option({
  group: hosts,
  type: word,
  whenAbsent: "drawn and printed",
  summary: "What a host must know to join; better given in HARNESS_JOIN_TOKEN than on a command line",
});

/** Options of `harness lock`. The key is the key in the configuration file, the flag the same in kebab case. */
export const lockOptions = {
  workers: option({ group: load, type: whole({ max: 64 }), default: "4", summary: "Worker processes" }),
  rate: option({
    group: load,
    type: rate,
    default: "1200/min",
    examples: ["1200", "20/s", "max"],
    summary: "Jobs that arrive, per minute unless said; max: as many as it takes, cost only",
  }),
  duration: option({
    group: load,
    type: duration(),
    default: "15s",
    summary: "Load of one arm in all, split over the rounds",
  }),
  rounds: option({
    group: load,
    type: whole({ max: 10_000 }),
    default: "3",
    summary: "Rounds; in each every arm runs once",
  }),
  arrivals: option({ group: load, type: oneOf("poisson", "constant"), default: "poisson", summary: "How jobs arrive" }),
  keys: option({
    group: load,
    type: keys,
    default: "per-job",
    summary: "Number of keys that the jobs share; per-job gives each its own",
  }),
  job: option({ group: load, type: text("NAME|FILE"), default: "webhook", summary: "What a job does" }),
  jobTime: option({
    group: load,
    type: jobTime,
    default: "lognormal(p50=650ms, p99=4s, max=3s)",
    examples: ["constant(3s)", "recorded(job-times.txt)"],
    summary: "How long jobs take",
  }),

  lock: listOption({
    group: lock,
    type: text("NAME|FILE"),
    default: ["set-nx"],
    examples: ["set-nx", "./my-lock.ts", "my-lock.ts(retries=3)"],
    summary: "Lock under test, by name or as a module of your own; several make several arms",
  }),
  control: flag({
    group: lock,
    default: "true",
    summary: "Leave out the arms without a lock: what remains shows cost and findings, and has no power",
  }),
  ttl: option({ group: lock, type: duration(), default: "15s", summary: "Lease of the lock" }),
  renewEvery: option({
    group: lock,
    type: duration(),
    whenAbsent: "never",
    examples: ["2s"],
    summary: "How often a worker renews its hold, for locks that leave that to their user",
  }),
  commandTimeout: option({
    group: lock,
    type: duration(),
    whenAbsent: "the client's own, often none",
    summary: "Time limit of the lock's client for one Redis command",
  }),
  fencing: option({
    group: lock,
    type: oneOf("on", "off"),
    default: "on",
    summary: "Does the witness refuse old fencing tokens (on), or only count them",
  }),

  queue: option({ group: queue, type: text("NAME"), default: "streams", summary: "How jobs are delivered" }),
  queueOn: option({
    group: queue,
    type: oneOf("lock", "own"),
    whenAbsent: "lock; own for redlock and for faults that would destroy the queue",
    summary: "Where the queue lives: on the lock's server, or on a server of its own without faults",
  }),
  visibility: option({
    group: queue,
    type: duration(),
    default: "2s",
    summary: "After this time without acknowledgement a job is delivered again",
  }),
  claimInterval: option({
    group: queue,
    type: duration(),
    whenAbsent: "a tenth of the visibility timeout",
    summary: "How often a worker looks for jobs past their visibility timeout",
  }),
  concurrency: option({
    group: queue,
    type: whole({ max: 10_000 }),
    default: "16",
    summary: "Jobs that one worker handles at once",
  }),
  ack: option({
    group: queue,
    type: oneOf("inside", "after"),
    default: "inside",
    summary: "Acknowledge a job inside the lock, or after its release as the article does",
  }),
  onSkip: option({
    group: queue,
    type: oneOf("leave", "drop"),
    default: "leave",
    summary: "A job whose lock is refused stays pending and comes again, or is acknowledged and dropped",
  }),

  faults: listOption({
    group: trouble,
    type: text("PLAN|PROFILE|FILE"),
    split: false,
    whenAbsent: "article; none for --rate max",
    examples: ["none", "redis-pause(every=10s, for=2s), worker-stop(on=grant, nth=3, for=1.5s)", "plan.yaml"],
    summary: "What goes wrong: a profile, faults with parameters, or a YAML or JSON file",
  }),
  trace: option({
    group: trouble,
    type: oneOf("auto", "on", "off"),
    default: "auto",
    summary: "Record every command on the lock's keys at the servers, for the checks that need it; auto: with faults",
  }),
  preset: option({ group: trouble, type: oneOf("incident"), summary: "Values for a known story; what is given wins" }),
  allowFaultsOnExternal: flag({
    group: trouble,
    summary: "Allow faults that would hurt others on servers named by --redis",
  }),

  toxiproxy: option({
    group: trouble,
    type: httpUrl,
    examples: ["http://127.0.0.1:8474"],
    whenAbsent: "a proxy of the harness's own",
    summary: "Use this Toxiproxy server as the network, with the faults that it can do",
  }),
  remoteWorkers: option({
    group: hosts,
    type: whole({ min: 0, max: 64 }),
    default: "0",
    summary: "How many of the workers hosts play that join by harness worker --join; the run waits for them",
  }),
  joinHost: option({
    group: hosts,
    type: text("ADDRESS"),
    default: "127.0.0.1",
    summary: "Address to wait for hosts at",
  }),
  joinPort: option({
    group: hosts,
    type: whole({ min: 0, max: 65_535 }),
    default: "0",
    summary: "Port to wait at; 0 takes any that is free and prints it",
  }),
  joinToken,

  topology: option({
    group: servers,
    type: oneOf(...topologyNames),
    default: "single",
    summary: "The Redis servers that the run starts",
  }),
  redis: listOption({
    group: servers,
    type: redisUrl,
    examples: ["redis://127.0.0.1:6379/3"],
    summary: "Use these servers, which the run does not own, instead of starting some",
  }),
  runtime: option({
    group: servers,
    type: oneOf("process", "docker"),
    default: "process",
    summary: "What the servers of a run are: processes, or containers of Docker or Podman",
  }),
  redisBin: option({
    group: servers,
    type: text("PATH"),
    whenAbsent: "on PATH, or a private copy",
    summary: "The redis-server or valkey-server to start",
  }),

  seed: option({ group: load, type: seed, whenAbsent: "drawn", summary: "Seed of everything random in the plan" }),
} as const;
