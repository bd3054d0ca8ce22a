import type { Command } from "./resp/command.ts";

/** What one client has said of one key. */
interface KnownKey {
  /** Where it first named the key: of a quorum's renewal on five nodes, that one counts. */
  node: string;
  /** Words that it sent with the key and that may be its token. */
  words: Set<string>;
  /** It gave the key a time to live already. */
  expires: boolean;
}

/**
 * Tells renewals of locks from other commands: one that sets a time to live, on a key, with a token that the same client
 * sent before with that key; or a bare PEXPIRE of a key that it gave a time to live before.
 */
export function extensionRecognizer(): (link: { source: string; node: string }, command: Command) => boolean {
  const known = new Map<string, KnownKey>();
  return ({ source, node }, command) => {
    const [key] = command.keys;
    if (key === undefined) return false;
    const id = `${source} ${key}`;
    if (command.name === "DEL" || command.name === "UNLINK") {
      known.delete(id);
      return false;
    }
    if (known.size > mostKeys) known.clear();
    const entry = known.get(id) ?? { node, words: new Set(), expires: false };
    known.set(id, entry);
    const words = tokensIn(command, key);
    const expires = setsExpiry(command);
    const isRepeated = words.some((word) => entry.words.has(word)) || (bareExpiry.has(command.name) && entry.expires);
    for (const word of words) entry.words.add(word);
    entry.expires ||= expires || takesWithExpiry(command);
    return expires && isRepeated && entry.node === node;
  };
}

const mostKeys = 100_000;
const bareExpiry: ReadonlySet<string> = new Set(["PEXPIRE", "EXPIRE", "PEXPIREAT", "EXPIREAT"]);
const settingExpiry: ReadonlySet<string> = new Set([...bareExpiry, "GETEX", "SETEX", "PSETEX"]);

function setsExpiry(command: Command): boolean {
  if (settingExpiry.has(command.name)) return true;
  // With NX it takes the lock, and does not renew it.
  if (command.name === "SET") return !command.hasWord("NX") && ["PX", "EX"].some((word) => command.hasWord(word));
  const script = command.scriptText;
  return script !== undefined && /pexpire|expire|['"](px|ex)['"]/i.test(script) && !/['"]nx['"]|setnx/i.test(script);
}

/** Takes a lock and gives it its time to live in one: SET with NX and PX, or a script that does. */
function takesWithExpiry(command: Command): boolean {
  if (command.name === "SET") return ["PX", "EX"].some((word) => command.hasWord(word));
  const script = command.scriptText;
  return script !== undefined && /pexpire|expire|['"](px|ex)['"]/i.test(script);
}

/** A token is a word that says something: neither the key, nor a number, nor a script. */
function tokensIn(command: Command, key: string): string[] {
  const from = command.scriptText === undefined ? 1 : 2;
  return command.words
    .slice(from)
    .map((word) => word.toString("latin1"))
    .filter((word) => word.length >= 8 && word !== key && !/^\d+$/.test(word));
}
