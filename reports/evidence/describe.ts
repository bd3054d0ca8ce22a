import type { Evidence } from "../../harness/contracts/check.ts";
import { visible } from "../escape.ts";
import { formatDuration } from "../format.ts";

export interface DescribedEvent {
  /** Since the first event of the excerpt, ms. */
  sinceFirstMs: number;
  /** Since the run's start, ms. */
  atMs: number;
  actor: string;
  what: string;
  /** Facts that belong to it, `name value`. */
  facts: string[];
  note: string | undefined;
}

export interface DescribedEvidence {
  /** What every event that names it has in common: round, job, key. */
  common: string[];
  events: DescribedEvent[];
}

/** An excerpt of the history in words, in the order of time. */
export function describeEvidence(evidence: readonly Evidence[]): DescribedEvidence {
  const common = { round: shared(evidence, "round"), key: shared(evidence, "key"), job: shared(evidence, "job") };
  const first = evidence[0]?.atNs ?? 0;
  const events = evidence.map((event) => ({
    sinceFirstMs: (event.atNs - first) / 1e6,
    atMs: event.atNs / 1e6,
    actor: actorOf(event),
    what: describeEvent(event),
    facts: factsOf(event, common.job === undefined, common.key === undefined),
    note: event.note === undefined ? undefined : visible(event.note, 400),
  }));
  const named = Object.entries(common).flatMap(([name, value]) =>
    value === undefined || (name === "job" && value === common.key) ? [] : [`${name} ${visible(String(value), 80)}`],
  );
  return { common: named, events };
}

function shared(evidence: readonly Evidence[], name: "round" | "key" | "job"): string | number | undefined {
  const values = new Set(evidence.map((event) => event[name]).filter((value) => value !== undefined));
  return values.size === 1 ? [...values][0] : undefined;
}

function actorOf(event: Evidence): string {
  if (event.op === "witness") return "witness";
  if (event.op === "fault") return "fault";
  if (event.worker === 0) return "harness";
  const incarnation = event.incarnation !== undefined && event.incarnation > 1 ? `.${event.incarnation}` : "";
  return `worker ${event.worker}${incarnation}`;
}

/** What happened, as a phrase whose subject is the actor. */
export function describeEvent(event: Evidence): string {
  const outcome = event.outcome === undefined ? "" : visible(event.outcome, 60);
  switch (event.op) {
    case "arrive":
      return byPhase(
        event,
        "adds the job",
        "the job is in the queue",
        "could not add the job",
        "may have added the job",
      );
    case "deliver":
      return event.attempt !== undefined && event.attempt > 1
        ? `gets the job, delivery ${event.attempt}`
        : "gets the job";
    case "acquire":
      if (event.phase === "ok" && (outcome === "" || outcome === "granted")) return "is granted the lock";
      if (outcome === "refused") return "is refused the lock";
      return byPhase(
        event,
        "asks for the lock",
        `acquire: ${outcome}`,
        "acquire failed",
        "cannot know whether it has the lock",
      );
    case "look":
      if (event.phase === "fail" || outcome === "stale") return "looks: the delivery is another's by now";
      return byPhase(
        event,
        "looks at its delivery",
        "looks: the delivery is its own",
        "",
        "could not look at its delivery",
      );
    case "extend":
      return byPhase(
        event,
        "asks to extend",
        `extended${suffix(outcome)}`,
        `not extended${suffix(outcome)}`,
        "cannot know whether it was extended",
      );
    case "lost":
      return "is told that its lock is lost";
    case "effect":
      return byPhase(
        event,
        "carries out the effect",
        "the effect is done",
        `the effect was refused${suffix(outcome)}`,
        "the effect may be done",
      );
    case "ack":
      return byPhase(
        event,
        "acknowledges the job",
        "the job is acknowledged",
        "the acknowledgement failed",
        "cannot know whether it is acknowledged",
      );
    case "release":
      return byPhase(
        event,
        "calls release",
        outcome === "" || outcome === "released" ? "released" : `release: ${outcome}`,
        `release failed${suffix(outcome)}`,
        "cannot know whether it released",
      );
    case "skip":
      return `gives the delivery up${suffix(outcome)}`;
    case "fault":
      return describeFault(event, outcome);
    case "worker":
      return outcome === "" ? `process: ${event.phase}` : `process ${outcome}`;
    case "round":
      return outcome === "" ? "round" : `round: ${outcome}`;
    case "witness":
      return "records an effect";
    default:
      return `${visible(String(event.op), 40)} ${event.phase}${suffix(outcome)}`;
  }
}

function byPhase(event: Evidence, invoke: string, ok: string, fail: string, info: string): string {
  return { invoke, ok, fail, info }[event.phase];
}

function suffix(outcome: string): string {
  return outcome === "" ? "" : ` (${outcome})`;
}

function describeFault(event: Evidence, outcome: string): string {
  const name = textOf(event.detail?.name) ?? textOf(event.detail?.id) ?? "a fault";
  const target = textOf(event.detail?.target);
  const verb =
    faultWords.get(outcome) ??
    { invoke: "begins", ok: "is in force", fail: "could not be injected", info: outcome || "noted" }[event.phase];
  return `${name}${target === undefined ? "" : ` on ${target}`} ${verb}`;
}

const faultWords = new Map([
  ["inject", "begins"],
  ["heal", "ends"],
  ["observed", "is seen"],
]);

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? visible(value, 80) : undefined;
}

const tokenMatters = new Set(["acquire", "extend", "release", "lost"]);

function factsOf(event: Evidence, withJob: boolean, withKey: boolean): string[] {
  const facts: string[] = [];
  if (withJob && event.job !== undefined) facts.push(`job ${visible(event.job, 60)}`);
  if (withKey && event.key !== undefined && event.key !== event.job) facts.push(`key ${visible(event.key, 60)}`);
  if (event.token !== undefined && tokenMatters.has(event.op)) facts.push(`token ${shortToken(event.token)}`);
  if (event.fencingToken !== undefined) facts.push(`fence ${event.fencingToken}`);
  if (event.validUntilMs !== undefined && event.wallMs !== undefined)
    facts.push(`valid ${formatDuration(event.validUntilMs - event.wallMs)} more`);
  if (event.error !== undefined) facts.push(`error: ${visible(event.error, 160)}`);
  return facts;
}

function shortToken(token: string): string {
  return token.length > 12 ? `${visible(token.slice(0, 8))}…` : visible(token);
}
