import { exists, getKeyIndexes } from "@ioredis/commands";
import { requestArguments } from "./arguments.ts";
import type { KnownScripts } from "./scripts.ts";

/** A request as faults look at it. What a fault does not ask for is not computed. */
export class Command {
  /** Upper case: `SET`, `EVALSHA`. */
  readonly name: string;
  readonly words: readonly Buffer[];
  private readonly scripts: KnownScripts;

  constructor(frame: Buffer, scripts: KnownScripts) {
    this.words = requestArguments(frame);
    this.name = this.words[0]?.toString("latin1").toUpperCase() ?? "";
    this.scripts = scripts;
  }

  /** The keys it names. A command that is not known, as of a module, is taken to have its key first. */
  get keys(): string[] {
    const following = this.words.slice(1);
    const name = this.name.toLowerCase();
    const indexes = exists(name) ? keyIndexes(name, following) : following.length > 0 ? [0] : [];
    return indexes.flatMap((index) => following[index]?.toString() ?? []);
  }

  /** True if one of the words after the name is this one, in any case: the NX of a SET. */
  hasWord(word: string): boolean {
    const wanted = word.toUpperCase();
    return this.words.some(
      (each, index) => index > 0 && each.length === wanted.length && each.toString("latin1").toUpperCase() === wanted,
    );
  }

  /** The Lua text that it runs, as far as it is known: of EVAL, or of an EVALSHA whose script passed the proxy. */
  get scriptText(): string | undefined {
    const first = this.words[1]?.toString("latin1");
    if (first === undefined) return undefined;
    if (this.name === "EVAL" || this.name === "EVAL_RO") return first;
    if (this.name === "EVALSHA" || this.name === "EVALSHA_RO") return this.scripts.textOf(first);
    // A function has a name instead of a text.
    if (this.name === "FCALL" || this.name === "FCALL_RO") return first;
    return undefined;
  }
}

function keyIndexes(name: string, following: Buffer[]): number[] {
  try {
    return getKeyIndexes(name, following);
  } catch {
    return [];
  }
}
