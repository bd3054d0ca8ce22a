const SCRIPTS = new Set(["EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO"]);
const ALL_ARGUMENTS = new Set(["DEL", "UNLINK", "EXISTS", "TOUCH", "MGET", "WATCH"]);
const ON_NO_KEY = new Set(["MULTI", "EXEC", "DISCARD", "UNWATCH", "FLUSHALL", "FLUSHDB", "PING", "ECHO", "SELECT"]);

/** The keys that a command names, as far as locks use it. Of unknown commands the first argument. */
export function keysOf(command: string, args: readonly string[]): readonly string[] {
  if (isScript(command)) return args.slice(2, 2 + Number(args[1] ?? 0));
  if (ALL_ARGUMENTS.has(command)) return args;
  if (command === "MSET" || command === "MSETNX") return args.filter((_, position) => position % 2 === 0);
  return ON_NO_KEY.has(command) ? [] : args.slice(0, 1);
}

/** Does it call commands of its own, which MONITOR shows after it? */
export function isScript(command: string): boolean {
  return SCRIPTS.has(command);
}

/** What a script was called with: its keys and arguments, without its text and their number. */
export function scriptArguments(args: readonly string[]): readonly string[] {
  return args.slice(2);
}
