import type { Frame } from "./frame.ts";

/**
 * What a request does to the order of replies on its connection. Almost every command is `plain`: one reply. The others
 * change how many replies come, or which frames are replies at all.
 */
export type CommandKind =
  | "plain"
  /** Redis does not answer it: an empty line, `*0`. */
  | "ignored"
  | "client"
  | "multi"
  | "exec"
  | "discard"
  | "subscription"
  | "monitor"
  | "hello"
  | "reset"
  /** PSYNC, SYNC: what follows is a replication stream. */
  | "replication"
  /** EVAL and SCRIPT, whose text tells later what an EVALSHA runs. */
  | "script";

/** The kind of a request, told by its name. Costs a few comparisons for the commands that are plain. */
export function commandKind(frame: Frame): CommandKind {
  if (frame.earlier.length > 0) return kindOfName(frame.bytes, 0);
  return kindOfName(frame.chunk, frame.start);
}

function kindOfName(bytes: Buffer, start: number): CommandKind {
  let at = start;
  if (bytes[at] !== asterisk) return inlineKind(bytes, start);
  // "*<count>\r\n$<length>\r\n<name>"
  at++;
  if (bytes[at] === minus || (bytes[at] === zero && bytes[at + 1] === carriageReturn)) return "ignored";
  while (bytes[at] !== dollar) if (++at >= bytes.length) return "plain";
  at++;
  let length = 0;
  for (let byte = bytes[at]; byte !== carriageReturn && byte !== undefined; byte = bytes[++at]) {
    length = length * 10 + (byte - zero);
  }
  return kindAt(bytes, at + 2, length);
}

function inlineKind(bytes: Buffer, start: number): CommandKind {
  let at = start;
  while (bytes[at] === blank) at++;
  const nameStart = at;
  for (let byte = bytes[at]; byte !== undefined && byte > blank; byte = bytes[++at]);
  return at === nameStart ? "ignored" : kindAt(bytes, nameStart, at - nameStart);
}

function kindAt(bytes: Buffer, start: number, length: number): CommandKind {
  const first = (bytes[start] ?? 0) | 0x20;
  if (length > 12 || candidates[length * 256 + first] !== 1) return "plain";
  return kinds.get(bytes.toString("latin1", start, start + length).toLowerCase()) ?? "plain";
}

const kinds = new Map<string, CommandKind>([
  ["client", "client"],
  ["multi", "multi"],
  ["exec", "exec"],
  ["discard", "discard"],
  ["subscribe", "subscription"],
  ["psubscribe", "subscription"],
  ["ssubscribe", "subscription"],
  ["unsubscribe", "subscription"],
  ["punsubscribe", "subscription"],
  ["sunsubscribe", "subscription"],
  ["monitor", "monitor"],
  ["hello", "hello"],
  ["reset", "reset"],
  ["psync", "replication"],
  ["sync", "replication"],
  ["eval", "script"],
  ["script", "script"],
]);

/** 1 at length x 256 + first letter of each name above: most commands are told apart without making a string. */
const candidates = new Uint8Array(13 * 256);
for (const name of kinds.keys()) candidates[name.length * 256 + name.charCodeAt(0)] = 1;

const asterisk = 0x2a;
const dollar = 0x24;
const minus = 0x2d;
const zero = 0x30;
const carriageReturn = 0x0d;
const blank = 0x20;
