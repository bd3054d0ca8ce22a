import { createHash } from "node:crypto";

/**
 * The Lua scripts that passed the proxy, by their SHA1: tells what an EVALSHA runs. One for all connections, since a
 * script that one client loads is run by others.
 */
export class KnownScripts {
  private readonly textBySha = new Map<string, string>();
  private readonly seen = new Set<string>();

  /** Learns from an EVAL or a SCRIPT LOAD. */
  observe(words: readonly Buffer[]): void {
    const name = words[0]?.toString("latin1").toLowerCase();
    const isLoad = name === "script" && words[1]?.toString("latin1").toLowerCase() === "load";
    const script = isLoad ? words[2] : name === "eval" ? words[1] : undefined;
    if (!script || script.length > 64 * 1024) return;
    const text = script.toString("latin1");
    if (this.seen.has(text)) return;
    if (this.seen.size >= mostScripts) this.seen.clear();
    this.seen.add(text);
    this.textBySha.set(createHash("sha1").update(script).digest("hex"), text);
  }

  /** The text of a script, or undefined if it was loaded past the proxy. */
  textOf(sha: string): string | undefined {
    return this.textBySha.get(sha.toLowerCase());
  }
}

const mostScripts = 10_000;
