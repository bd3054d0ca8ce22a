import type { HistoryEvent, TraceDetail } from "../contracts/history.ts";
import { type Effect, effectOf } from "./redis-commands.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";
import { ToldExpiries } from "./told-expiries.ts";
import { faultWindows, nodesOf } from "./windows.ts";

/** A stretch in which a lock's key stood on a node with one value: what the server knows of a hold. */
export interface ServerHold {
  node: number;
  physicalKey: string;
  /** The lock's key. */
  key: string;
  /** The value: the owner's token. */
  token: string;
  set: HistoryEvent;
  /** Receipts of the commands that gave it a new TTL. */
  extensions: HistoryEvent[];
  /** The TTL that it was given last; null: none. */
  ttlMs: number | null;
  /** Server time at which it expires, ms; infinite without a TTL. */
  expiresServerMs: number;
  /** Absent: it was still there when the trace ended, or nothing is known of its end. */
  end?: { event: HistoryEvent; how: "deleted" | "replaced" | "expired" | "evicted" | "flushed" | "server died" };
  /** The last that shows it standing: a command or a poll. */
  lastSeen: HistoryEvent;
  /** An expiry was told that no earlier hold accounts for: it may be over long before its time. */
  doubtful?: true;
}

/** A command that changed a key without carrying the token of its owner. */
export interface Interference {
  hold: ServerHold;
  kind: "deleted" | "extended" | "replaced";
  event: HistoryEvent;
  /** The token of another hold that it carried; absent: it carried none. */
  carried?: string;
  /** Was it the connection that had written the token? Absent where a script did either, which tells of none. */
  sender?: "owner" | "another";
}

export interface ServerKeys {
  /** In the order in which they began, node by node. */
  holds: readonly ServerHold[];
  interferences: readonly Interference[];
  /** Nodes that have a trace. */
  nodes: ReadonlySet<number>;
  /** When a node was not watched: what happened on it then is not known. */
  gaps: readonly Gap[];
}

export interface Gap {
  node: number;
  startNs: number;
  endNs: number;
}

type Command = Extract<TraceDetail, { kind: "command" }>;

/** Server times are cached per command: this close to its expiry, nobody can say whether a key was still there. */
const UNSURE_MS = 5;
/** Keyspace events may be this late, ns: one for a hold that began later than that before it is meant for the one before. */
const EVENT_LAG_NS = 250e6;

/** Replays the commands of the trace, node by node, as the servers carried them out. */
export const serverKeys = remember((index: RoundIndex): ServerKeys => {
  const state: Replay = {
    holds: [],
    interferences: [],
    current: new Map(),
    nodes: new Set(),
    tokens: new Set(),
    granted: new Set(),
    watched: new Map(),
    inTransaction: new Set(),
    gaps: [],
    unsure: new Map(),
    expiries: new ToldExpiries(),
    latest: new Map(),
    ranOut: new Set(),
  };
  for (const execution of index.executions.values()) {
    for (const { end } of execution.acquires) if (end?.phase === "ok" && end.token) state.granted.add(end.token);
  }
  for (const event of timeline(index)) {
    if (event.op === "fault") endHoldsOf(state, event);
    else replay(state, event, event.detail as TraceDetail | undefined);
  }
  return { holds: state.holds, interferences: state.interferences, nodes: state.nodes, gaps: state.gaps };
});

/** Who came to own a key, in the order of each node. */
export function ownerChanges(index: RoundIndex, key: string): { node: number; token: string; event: HistoryEvent }[] {
  return serverKeys(index)
    .holds.filter((hold) => hold.key === key)
    .map(({ node, token, set }) => ({ node, token, event: set }));
}

interface Replay extends ServerKeys {
  holds: ServerHold[];
  interferences: Interference[];
  /** By node and physical key. */
  current: Map<string, ServerHold>;
  nodes: Set<number>;
  /** Every token that was ever written. */
  tokens: Set<string>;
  granted: Set<string>;
  /** Keys that a client watches: its transaction works only on the value that it read. */
  watched: Map<string, Set<string>>;
  gaps: Gap[];
  /** Nodes that were not watched for a while, with the keys of which it is known again since then how they stand. */
  unsure: Map<number, Set<string>>;
  inTransaction: Set<string>;
  expiries: ToldExpiries;
  /** The newest hold of each connection on each key. */
  latest: Map<string, ServerHold>;
  /** Connections, by key, of which a hold ended otherwise than by deletion. */
  ranOut: Set<string>;
}

/** Deaths of servers take their keys with them; with persistence some come back, which only polls can tell. */
function timeline(index: RoundIndex): HistoryEvent[] {
  if (index.trace.length === 0) return [];
  const deaths = faultWindows(index).flatMap(({ name, injected }) =>
    /^redis-(kill|restart|failover)/.test(name) && injected ? [injected] : [],
  );
  return [...index.trace, ...deaths].sort((a, b) => a.atNs - b.atNs);
}

function endHoldsOf({ current }: Replay, event: HistoryEvent): void {
  const nodes = nodesOf({ target: String(event.detail?.target ?? "") });
  for (const [slot, hold] of current) {
    if (nodes.length > 0 && !nodes.includes(hold.node)) continue;
    hold.end = { event, how: "server died" };
    current.delete(slot);
  }
}

function replay(state: Replay, event: HistoryEvent, detail: TraceDetail | undefined): void {
  if (!detail) return;
  if (detail.kind === "gap") {
    loseSight(state, event, detail);
    return;
  }
  state.nodes.add(detail.node);
  if (detail.kind === "command") carryOut(state, event, detail);
  if (detail.kind === "expired" || detail.kind === "evicted") vanish(state, event, detail);
  if (detail.kind === "state") poll(state, event, detail);
}

/** What stood before may be gone, and what is there now may have come meanwhile. */
function loseSight(
  { current, gaps, unsure }: Replay,
  event: HistoryEvent,
  { node, forNs }: Extract<TraceDetail, { kind: "gap" }>,
) {
  gaps.push({ node, startNs: event.atNs - forNs, endNs: event.atNs });
  unsure.set(node, new Set());
  for (const [slot, hold] of current) if (hold.node === node) current.delete(slot);
}

/** Is it known whether the key stands? If not, this command may tell: a write that took effect, or a deletion. */
function isKnown({ unsure, granted }: Replay, { node }: Command, slot: string, effect: Effect): boolean {
  const known = unsure.get(node);
  if (!known || known.has(slot)) return true;
  const tells =
    effect.kind === "delete" ||
    (effect.kind === "write" && (effect.onlyIf === "any" || (effect.onlyIf === "absent" && granted.has(effect.value))));
  if (tells) known.add(slot);
  return tells;
}

/** An expiry that no hold accounts for casts doubt on the one beside it. */
function vanish(
  { current, expiries }: Replay,
  event: HistoryEvent,
  detail: Extract<TraceDetail, { kind: "expired" | "evicted" }>,
) {
  const slot = slotOf(detail);
  const hold = current.get(slot);
  const isExpiry = detail.kind === "expired";
  // On a busy machine the word that the one before has expired may come long after the next was set.
  const meansEarlier =
    hold !== undefined && (event.atNs - hold.set.atNs < EVENT_LAG_NS || (isExpiry && isYoung(hold, event)));
  if (hold && !meansEarlier) {
    hold.end = { event, how: detail.kind };
    current.delete(slot);
  } else if (isExpiry && !expiries.accountsFor(slot, event.atNs)) {
    if (hold) hold.doubtful = true;
    else expiries.stray(slot, event.atNs);
  }
}

function concludeExpiry({ current, expiries }: Replay, slot: string, hold: ServerHold, event: HistoryEvent): void {
  hold.end = { event, how: "expired" };
  current.delete(slot);
  expiries.conclude(slot, event.atNs);
}

/** Not even half of the TTL that it was given last is over. */
function isYoung({ set, extensions, ttlMs }: ServerHold, { atNs }: HistoryEvent): boolean {
  return ttlMs !== null && atNs - (extensions.at(-1) ?? set).atNs < (ttlMs * 1e6) / 2;
}

function poll(state: Replay, event: HistoryEvent, detail: Extract<TraceDetail, { kind: "state" }>): void {
  const { current, unsure } = state;
  const slot = slotOf(detail);
  if (detail.value === null) unsure.get(detail.node)?.add(slot);
  const hold = current.get(slot);
  if (!hold || event.atNs - hold.set.atNs < EVENT_LAG_NS) return;
  if (detail.value === hold.token) hold.lastSeen = event;
  else if (detail.value === null) concludeExpiry(state, slot, hold, event);
}

function carryOut(state: Replay, event: HistoryEvent, command: Command): void {
  const { watched, inTransaction } = state;
  const { client, serverMs } = command;
  if (command.command === "WATCH") watched.set(client, new Set(command.args));
  if (command.command === "MULTI") inTransaction.add(client);
  if (command.command === "EXEC" || command.command === "DISCARD" || command.command === "UNWATCH") {
    watched.delete(client);
    inTransaction.delete(client);
  }
  const effect = effectOf(command.command, command.args, serverMs);
  if (!effect) return;
  if (effect.kind === "flush") {
    flush(state, event, command.node);
    return;
  }
  const slot = slotOf(command);
  if (!isKnown(state, command, slot, effect)) return;
  const hold = standing(state, event, command, effect);
  if (effect.kind === "write") write(state, event, command, effect, slot, hold);
  else if (hold) change(state, event, command, effect, slot, hold);
}

/** The hold that the command finds. One past its expiry is gone, though nobody has said so yet. */
function standing(state: Replay, event: HistoryEvent, command: Command, effect: Effect): ServerHold | undefined {
  const { current, granted } = state;
  const slot = slotOf(command);
  const hold = current.get(slot);
  if (!hold) return undefined;
  const leftMs = hold.expiresServerMs - command.serverMs;
  const unsure = hold.doubtful || Math.abs(leftMs) <= UNSURE_MS;
  // A script may have looked whether the key is there before it wrote without a condition.
  const tookOver = effect.kind === "write" && granted.has(effect.value);
  // A script that acts with another's token has looked: the next one took the key while nobody could say, to no avail.
  const byOther = effect.kind !== "write" && command.client === "lua" && !carries(event, command, hold.token);
  const gone = unsure ? tookOver || (effect.kind !== "write" && (leftMs <= 0 || byOther)) : leftMs <= 0;
  if (!gone) return hold;
  concludeExpiry(state, slot, hold, event);
  return undefined;
}

function write(
  state: Replay,
  event: HistoryEvent,
  command: Command,
  effect: Extract<Effect, { kind: "write" }>,
  slot: string,
  hold: ServerHold | undefined,
): void {
  if ((effect.onlyIf === "absent" && hold) || (effect.onlyIf === "present" && !hold)) return;
  state.tokens.add(effect.value);
  if (hold?.token === effect.value) {
    renew(hold, event, command, effect.keepsTtl ? hold.ttlMs : effect.ttlMs);
    return;
  }
  if (hold) {
    interfere(state, event, command, hold, "replaced");
    hold.end = { event, how: "replaced" };
  }
  const ttlMs = effect.keepsTtl && hold ? hold.ttlMs : effect.ttlMs;
  const fresh: ServerHold = {
    node: command.node,
    physicalKey: command.physicalKey,
    key: event.key ?? command.physicalKey,
    token: effect.value,
    set: event,
    extensions: [],
    ttlMs,
    expiresServerMs: ttlMs === null ? Number.POSITIVE_INFINITY : command.serverMs + ttlMs,
    lastSeen: event,
    ...(state.expiries.mayBeOf(slot, event.atNs) ? { doubtful: true as const } : {}),
  };
  const before = state.latest.get(placeOf(command));
  // A token that nobody was granted is released by nobody.
  if (before && before.end?.how !== "deleted" && state.granted.has(before.token)) state.ranOut.add(placeOf(command));
  state.latest.set(placeOf(command), fresh);
  state.holds.push(fresh);
  state.current.set(slot, fresh);
}

function change(
  state: Replay,
  event: HistoryEvent,
  command: Command,
  effect: Extract<Effect, { kind: "delete" | "expire" }>,
  slot: string,
  hold: ServerHold,
): void {
  interfere(state, event, command, hold, effect.kind === "delete" ? "deleted" : "extended");
  if (effect.kind === "expire" && (effect.ttlMs === null || effect.ttlMs > 0)) {
    renew(hold, event, command, effect.ttlMs);
    return;
  }
  hold.end = { event, how: "deleted" };
  state.current.delete(slot);
}

function renew(hold: ServerHold, event: HistoryEvent, { serverMs, client }: Command, ttlMs: number | null): void {
  if (client !== "fault") hold.extensions.push(event);
  hold.lastSeen = event;
  hold.ttlMs = ttlMs;
  hold.expiresServerMs = ttlMs === null ? Number.POSITIVE_INFINITY : serverMs + ttlMs;
}

function flush({ current }: Replay, event: HistoryEvent, node: number): void {
  for (const [slot, hold] of current) {
    if (hold.node !== node) continue;
    hold.end = { event, how: "flushed" };
    current.delete(slot);
  }
}

function interfere(
  { interferences, tokens, watched, inTransaction, ranOut }: Replay,
  event: HistoryEvent,
  command: Command,
  hold: ServerHold,
  kind: Interference["kind"],
): void {
  const { client } = command;
  if (client === "fault" || carries(event, command, hold.token)) return;
  const guarded = inTransaction.has(client) && watched.get(client)?.has(command.physicalKey);
  if (guarded) return;
  const carried = [...command.args, ...(command.scriptArgs ?? [])].find((arg) => arg !== hold.token && tokens.has(arg));
  const sender = senderOf(ranOut, hold, command);
  interferences.push({
    hold,
    kind,
    event,
    ...(carried === undefined ? {} : { carried }),
    ...(sender === undefined ? {} : { sender }),
  });
}

/** Where an earlier hold of the same connection had run out, it may be the one that was meant. */
function senderOf(ranOut: ReadonlySet<string>, { set }: ServerHold, command: Command): Interference["sender"] {
  const { client } = set.detail as Command;
  if (client === "lua" || command.client === "lua") return undefined;
  if (client !== command.client) return "another";
  return ranOut.has(placeOf(command)) ? undefined : "owner";
}

const placeOf = (command: Command): string => `${slotOf(command)} ${command.client}`;

/** Does the command, or the script around it, carry this token? */
export function carries(event: HistoryEvent, { args, scriptArgs = [] }: Command, token: string): boolean {
  const cut = token.slice(0, 64);
  return event.token === token || args.includes(cut) || scriptArgs.includes(cut);
}

function slotOf({ node, db = 0, physicalKey }: { node: number; db?: number; physicalKey: string }): string {
  return `${node} ${db} ${physicalKey}`;
}
