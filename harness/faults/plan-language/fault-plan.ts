import { formatDurationMs } from "../../config/units.ts";
import type { FaultDescription } from "../../contracts/fault.ts";
import type { TopologyName } from "../../contracts/topology.ts";
import { UsageError } from "../../errors.ts";
import { type FaultProfile, faultProfiles } from "../profiles.ts";
import { bindEntry, type FaultSpec, faultOf } from "./bind.ts";
import { type FaultEntry, parseEntries } from "./parse.ts";
import { bindRandom, type RandomSpec } from "./random.ts";
import { planError, type Source } from "./source.ts";
import type { TargetCounts } from "./target.ts";

/** What a plan is understood against. */
export interface PlanContext {
  faults: readonly FaultDescription[];
  counts: TargetCounts;
  topology: TopologyName;
  /** Length of a round's load, ms. */
  roundMs: number;
  rounds: number;
  /** True: the servers are not the run's own, and faults that would hurt others are refused. */
  sparesServers?: boolean;
}

/** A plan that is understood and checked, before anything in it was drawn. */
export interface FaultPlan {
  specs: readonly (FaultSpec | RandomSpec)[];
  /** The profile, if the plan is one and nothing else. */
  profile?: string;
}

/** Reads a plan as text of the plan language; profiles may stand among the faults. Throws `UsageError`. */
export function readFaultPlan(source: Source, context: PlanContext): FaultPlan {
  return understandEntries(parseEntries(source), context);
}

/** Understands entries, whatever they were written in. */
export function understandEntries(entries: readonly FaultEntry[], context: PlanContext): FaultPlan {
  refuseNoneBesideOthers(entries);
  const isPossible = (fault: FaultDescription) => problemOf(fault, context) === undefined;
  const specs = entries.flatMap((entry): (FaultSpec | RandomSpec)[] => {
    if (entry.name.text === "random") return [bindRandom(entry, context.faults.filter(isPossible))];
    const profile = entry.arguments.length === 0 ? profileOf(entry) : undefined;
    if (profile) return [...profileSpecs(profile, context)];
    const fault = faultOf(entry.name, context.faults, ["random", ...faultProfiles.map(({ name }) => name)]);
    const problem = problemOf(fault, context);
    if (problem !== undefined) throw planError(entry.name, problem);
    return [bindEntry(entry, fault, context.counts)];
  });
  const only = entries.length === 1 && entries[0] ? profileOf(entries[0]) : undefined;
  return { specs, ...(only ? { profile: only.name } : {}) };
}

/** No faults, and some: one of them is not meant. */
function refuseNoneBesideOthers(entries: readonly FaultEntry[]): void {
  const none = entries.find(({ name }) => name.text === "none");
  const other = entries.find(({ name }) => name.text !== "none");
  if (none && other) {
    throw planError(none.name, `none stands for no faults, and ${other.name.text} is one: leave one of them out.`);
  }
}

/** Why a fault cannot be in this run, if it cannot. */
function problemOf({ name, topologies, needsOwnServer }: FaultDescription, context: PlanContext): string | undefined {
  if (topologies && !topologies.includes(context.topology)) {
    return `${name} takes another topology than ${context.topology}: ${topologies.join(" or ")}.`;
  }
  if (context.sparesServers && needsOwnServer) {
    return (
      `${name} would hurt others on servers that the run does not own. Leave out --redis, so that the run starts its own, ` +
      "or allow it with --allow-faults-on-external."
    );
  }
  return undefined;
}

const profileOf = (entry: FaultEntry): FaultProfile | undefined =>
  faultProfiles.find((profile) => profile.name === entry.name.text);

function profileSpecs(profile: FaultProfile, context: PlanContext): FaultPlan["specs"] {
  if (context.roundMs < profile.minRoundMs) {
    const least = formatDurationMs(profile.minRoundMs * context.rounds);
    throw new UsageError(
      `The fault profile ${profile.name} needs rounds of at least ${formatDurationMs(profile.minRoundMs)}, and these last ` +
        `${formatDurationMs(context.roundMs)}. The shortest --duration that fits ${roundsText(context.rounds)} is ${least}.`,
      { code: "FAULT_DOES_NOT_FIT" },
    );
  }
  const source = { name: `profile ${profile.name}`, text: profile.text(context.roundMs) };
  return readFaultPlan(source, context).specs;
}

export const roundsText = (rounds: number): string => (rounds === 1 ? "one round" : `${rounds} rounds`);
