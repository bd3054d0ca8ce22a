/** What a command does to the key that it names, if it finds it in the state that it wants. */
export type Effect =
  | { kind: "write"; onlyIf: "absent" | "present" | "any"; value: string; ttlMs: number | null; keepsTtl: boolean }
  | { kind: "delete" }
  | { kind: "expire"; ttlMs: number | null }
  | { kind: "flush" };

/**
 * Reads a command of the trace: those that locks are made of. Undefined: it changes nothing, or is none of them.
 * @param args what follows the command, the key first
 * @param serverMs the server's time, for expiries given as a moment
 */
export function effectOf(command: string, args: readonly string[], serverMs: number): Effect | undefined {
  const [, second = "", third = ""] = args;
  switch (command) {
    case "SET":
      return readSet(second, args.slice(2), serverMs);
    case "SETNX":
      return { kind: "write", onlyIf: "absent", value: second, ttlMs: null, keepsTtl: false };
    case "GETSET":
      return { kind: "write", onlyIf: "any", value: second, ttlMs: null, keepsTtl: false };
    case "PSETEX":
      return { kind: "write", onlyIf: "any", value: third, ttlMs: Number(second), keepsTtl: false };
    case "SETEX":
      return { kind: "write", onlyIf: "any", value: third, ttlMs: Number(second) * 1000, keepsTtl: false };
    case "DEL":
    case "UNLINK":
    case "GETDEL":
      return { kind: "delete" };
    case "PEXPIRE":
      return { kind: "expire", ttlMs: Number(second) };
    case "EXPIRE":
      return { kind: "expire", ttlMs: Number(second) * 1000 };
    case "PEXPIREAT":
      return { kind: "expire", ttlMs: Number(second) - serverMs };
    case "EXPIREAT":
      return { kind: "expire", ttlMs: Number(second) * 1000 - serverMs };
    case "PERSIST":
      return { kind: "expire", ttlMs: null };
    case "FLUSHALL":
    case "FLUSHDB":
      return { kind: "flush" };
    default:
      return undefined;
  }
}

function readSet(value: string, options: readonly string[], serverMs: number): Effect {
  let onlyIf: "absent" | "present" | "any" = "any";
  let ttlMs: number | null = null;
  let keepsTtl = false;
  for (const [position, option] of options.entries()) {
    const number = Number(options[position + 1]);
    switch (option.toUpperCase()) {
      case "NX":
        onlyIf = "absent";
        break;
      case "XX":
        onlyIf = "present";
        break;
      case "PX":
        ttlMs = number;
        break;
      case "EX":
        ttlMs = number * 1000;
        break;
      case "PXAT":
        ttlMs = number - serverMs;
        break;
      case "EXAT":
        ttlMs = number * 1000 - serverMs;
        break;
      case "KEEPTTL":
        keepsTtl = true;
        break;
    }
  }
  return { kind: "write", onlyIf, value, ttlMs, keepsTtl };
}
