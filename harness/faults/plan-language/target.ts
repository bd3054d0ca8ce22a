import { didYouMean } from "../../config/nearest.ts";
import type { FaultDescription, FaultTargetKind } from "../../contracts/fault.ts";
import { type Piece, planError } from "./source.ts";

/** How many there are of what a fault can be aimed at. */
export interface TargetCounts {
  nodes: number;
  workers: number;
  sentinels?: number;
}

/** One member of a run, or a choice that is still open. */
interface Endpoint {
  kind: string;
  index: number | "any" | "all";
}

/** A target as written, checked: an endpoint, or a link between two. Several are joined with `+`. */
export interface TargetTerm {
  kind: FaultTargetKind;
  ends: readonly Endpoint[];
}

/** Reads `worker:2`, `node:all`, `worker:any`, `client:1-node:3`, `worker:1+worker:3`. Points at what does not exist. */
export function readTargets(piece: Piece, fault: FaultDescription, counts: TargetCounts): TargetTerm[] {
  return piece.text.split("+").map((written) => readTerm(written.trim(), piece, fault, counts));
}

/** What a fault is aimed at when nothing is said: `worker:any` for workers, else every member of its first kind. */
export function defaultTargets(fault: FaultDescription): TargetTerm[] {
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
  const ends = written.split("-").map((end) => readEndpoint(end.trim(), piece, fault));
  const kind = (ends.length === 2 ? "link" : ends[0]?.kind) as FaultTargetKind;
  if (ends.length > 2 || !fault.targets.includes(kind)) {
    throw planError(
      piece,
      `${fault.name} is aimed at ${fault.targets.map(example).join(" or ")}, not at "${written}".`,
    );
  }
  for (const { kind: member, index } of ends) {
    const most = countOf(member, counts);
    if (typeof index === "number" && most !== undefined && (index < 1 || index > most)) {
      const range =
        most === 0 ? `this run has no ${member}` : `there is ${member}:1${most > 1 ? ` to ${member}:${most}` : ""}`;
      throw planError(piece, `there is no ${member}:${index}; ${range}.`);
    }
  }
  return { kind, ends };
}

function readEndpoint(written: string, piece: Piece, fault: FaultDescription): Endpoint {
  if (written === "run" || written === "queue") return { kind: written, index: "all" };
  const [, kind = "", index = ""] = /^([a-z]+)(?::(\d+|any|all))?$/.exec(written) ?? [];
  const kinds = ["node", "worker", "client", "sentinel"];
  if (!kinds.includes(kind)) {
    const hint = kind === "" ? ` Write ${fault.targets.map(example).join(" or ")}.` : didYouMean(kind, kinds);
    throw planError(piece, `"${written}" is no target.${hint}`);
  }
  if (index === "")
    throw planError(piece, `"${written}" does not say which; write ${kind}:1, ${kind}:any or ${kind}:all.`);
  return { kind, index: index === "any" || index === "all" ? index : Number(index) };
}

function namesOf({ kind, index }: Endpoint, counts: TargetCounts): string[] {
  const count = countOf(kind, counts);
  if (count === undefined) return [kind];
  if (typeof index === "number") return [`${kind}:${index}`];
  return Array.from({ length: count }, (_, position) => `${kind}:${position + 1}`);
}

function countOf(kind: string, counts: TargetCounts): number | undefined {
  if (kind === "node") return counts.nodes;
  if (kind === "worker" || kind === "client") return counts.workers;
  return kind === "sentinel" ? (counts.sentinels ?? 0) : undefined;
}

const example = (kind: FaultTargetKind): string => {
  if (kind === "link") return "client:1-node:1";
  return kind === "run" || kind === "queue" ? kind : `${kind}:1`;
};
