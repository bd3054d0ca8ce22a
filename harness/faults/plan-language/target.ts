import { didYouMean } from "../../config/nearest.ts";
import type { FaultDescription, FaultTargetKind } from "../../contracts/fault.ts";
import { type Piece, pieceOf, planError } from "./source.ts";

/** How many there are of what a fault can be aimed at. */
export interface TargetCounts {
  nodes: number;
  workers: number;
  sentinels?: number;
}

/** Members of a run, or a choice that is still open. */
export interface Endpoint {
  kind: string;
  index: { from: number; to: number } | "any" | "all";
}

/** A target as written, checked: an endpoint, or a link between two. Several are joined with `+`. */
export interface TargetTerm {
  kind: FaultTargetKind;
  ends: readonly Endpoint[];
}

/** Reads endpoints alone, such as the sides of a partition, and gives their explicit names. */
export function readEndpoints(piece: Piece, counts: TargetCounts): { ends: Endpoint[]; names: string[] } {
  const ends = piece.text.split("+").flatMap((written) => {
    const end = readEndpoint(written.trim(), piece, ["client:1", "node:1"]);
    refuseMissing(end, piece, counts);
    if (end.index === "any") throw planError(piece, "a side is named, not drawn: write client:1 or client:all.");
    return singlesOf(end, counts);
  });
  return { ends, names: ends.flatMap((end) => namesOf(end, counts)) };
}

/** The links between two sides, a node last in each. */
export const linksBetween = (a: readonly Endpoint[], b: readonly Endpoint[]): TargetTerm[] =>
  a.flatMap((one) =>
    b.map((other): TargetTerm => ({ kind: "link", ends: one.kind === "node" ? [other, one] : [one, other] })),
  );

/** Reads `worker:2`, `worker:1..3`, `node:all`, `worker:any`, `client:1-node:3`, `worker:1+worker:3`. Points at what does not exist. */
export function readTargets(piece: Piece, fault: FaultDescription, counts: TargetCounts): TargetTerm[] {
  return piece.text.split("+").map((written) => readTerm(written.trim(), piece, fault, counts));
}

/** What a fault is aimed at when nothing is said: `worker:any` for workers, else every member of its first kind. */
export function defaultTargets(fault: FaultDescription, counts: TargetCounts): TargetTerm[] {
  const { defaultTarget } = fault;
  if (defaultTarget !== undefined) {
    const source = { name: fault.name, text: defaultTarget };
    return readTargets(pieceOf(source, 0, defaultTarget.length), fault, counts);
  }
  const kind = fault.targets[0] ?? "run";
  if (kind === "link") {
    const ends: Endpoint[] = [
      { kind: "client", index: "all" },
      { kind: "node", index: "all" },
    ];
    return [{ kind, ends }];
  }
  return [{ kind, ends: [{ kind, index: kind === "worker" ? "any" : "all" }] }];
}

/**
 * The explicit targets that a term can mean: for `any` these are alternatives, of which one is to be drawn; otherwise all
 * of them are meant.
 */
export function candidatesOf(term: TargetTerm, counts: TargetCounts): { draw: boolean; targets: string[] } {
  const [first, second] = term.ends.map((end) => namesOf(end, counts));
  const draw = term.ends.some((end) => end.index === "any");
  if (!first) return { draw, targets: [] };
  if (!second) return { draw, targets: first };
  const links = new Set<string>();
  for (const one of first) {
    for (const other of second) {
      if (one !== other && !links.has(`${other}-${one}`)) links.add(`${one}-${other}`);
    }
  }
  return { draw, targets: [...links] };
}

function readTerm(written: string, piece: Piece, fault: FaultDescription, counts: TargetCounts): TargetTerm {
  const ends = written.split("-").map((end) => readEndpoint(end.trim(), piece, fault.targets.map(example)));
  const kind = (ends.length === 2 ? "link" : ends[0]?.kind) as FaultTargetKind;
  if (ends.length > 2 || !fault.targets.includes(kind)) {
    throw planError(
      piece,
      `${fault.name} is aimed at ${fault.targets.map(example).join(" or ")}, not at "${written}".`,
    );
  }
  for (const end of ends) refuseMissing(end, piece, counts);
  return { kind, ends };
}

function refuseMissing({ kind, index }: Endpoint, piece: Piece, counts: TargetCounts): void {
  const most = countOf(kind, counts);
  if (typeof index === "string" || most === undefined) return;
  const missing = index.from < 1 ? index.from : index.to > most ? Math.max(index.from, most + 1) : undefined;
  if (missing === undefined) return;
  const range = most === 0 ? `this run has no ${kind}` : `there is ${kind}:1${most > 1 ? ` to ${kind}:${most}` : ""}`;
  throw planError(piece, `there is no ${kind}:${missing}; ${range}.`);
}

function readEndpoint(written: string, piece: Piece, examples: readonly string[]): Endpoint {
  if (written === "run" || written === "queue") return { kind: written, index: "all" };
  const [, kind = "", index = "", last] = /^([a-z]+)(?::(any|all|(?:\d+)(?:\.\.(\d+))?))?$/.exec(written) ?? [];
  const kinds = ["node", "worker", "client", "sentinel"];
  if (!kinds.includes(kind)) {
    const hint = kind === "" ? ` Write ${examples.join(" or ")}.` : didYouMean(kind, kinds);
    throw planError(piece, `"${written}" is no target.${hint}`);
  }
  if (index === "") {
    throw planError(piece, `"${written}" does not say which; write ${kind}:1, ${kind}:any or ${kind}:all.`);
  }
  if (index === "any" || index === "all") return { kind, index };
  const from = Number.parseInt(index, 10);
  const to = last === undefined ? from : Number(last);
  if (to < from) throw planError(piece, `"${written}" counts backwards; write ${kind}:${to}..${from}.`);
  return { kind, index: { from, to } };
}

function namesOf({ kind, index }: Endpoint, counts: TargetCounts): string[] {
  const count = countOf(kind, counts);
  if (count === undefined) return [kind];
  const { from, to } = typeof index === "string" ? { from: 1, to: count } : index;
  return Array.from({ length: to - from + 1 }, (_, position) => `${kind}:${from + position}`);
}

/** The members of an endpoint, each by itself. */
const singlesOf = (end: Endpoint, counts: TargetCounts): Endpoint[] =>
  namesOf(end, counts).map((name) => {
    const index = Number(name.split(":")[1]);
    return { kind: end.kind, index: { from: index, to: index } };
  });

function countOf(kind: string, counts: TargetCounts): number | undefined {
  if (kind === "node") return counts.nodes;
  if (kind === "worker" || kind === "client") return counts.workers;
  return kind === "sentinel" ? (counts.sentinels ?? 0) : undefined;
}

/** Writes explicit targets so that reading them gives the same ones: `worker:1..3`, `client:1..4-node:1`. */
export function formatTargets(targets: readonly string[]): string {
  return runsOf(targets.map((target) => target.split("-"))).join("+");
}

/** Neighbours that count up are written as one: first in the last part of a name, then in the first. */
function runsOf(targets: readonly (readonly string[])[]): string[] {
  const merged = mergeRuns(
    targets.map((parts) => [...parts]),
    1,
  );
  return mergeRuns(merged, 0).map((parts) => parts.join("-"));
}

function mergeRuns(targets: string[][], place: number): string[][] {
  const merged: string[][] = [];
  for (const parts of targets) {
    const before = merged.at(-1);
    const joined = before && joinedAt(before, parts, place);
    if (before && joined) before[place] = joined;
    else merged.push([...parts]);
  }
  return merged;
}

/** The range that two targets make together if they differ in one part alone and follow upon each other there. */
function joinedAt(before: readonly string[], after: readonly string[], place: number): string | undefined {
  if (before.length !== after.length || before.some((part, index) => index !== place && part !== after[index]))
    return undefined;
  const [, kind, from, to = from] = /^(\w+):(\d+)(?:\.\.(\d+))?$/.exec(before[place] ?? "") ?? [];
  const next = `${kind}:${Number(to) + 1}`;
  return kind !== undefined && after[place] === next ? `${kind}:${from}..${Number(to) + 1}` : undefined;
}

const example = (kind: FaultTargetKind): string => {
  if (kind === "link") return "client:1-node:1";
  return kind === "run" || kind === "queue" ? kind : `${kind}:1`;
};
