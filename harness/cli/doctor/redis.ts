import { UnavailableError } from "../../errors.ts";
import { findRedis } from "../../redis/find.ts";
import { shellQuote } from "../replay-command.ts";
import type { DoctorFinding } from "./finding.ts";

/** Finds Redis as a run would, fetching a private copy where that is the way, so that the next run starts at once. */
export async function examineRedis(
  redisBin: string | undefined,
  onProgress: (line: string) => void,
): Promise<DoctorFinding> {
  try {
    const { flavour, version, how, server, cli, benchmark, env } = await findRedis({ redisBin, onProgress });
    const programs = [
      cli === undefined ? "no redis-cli" : "redis-cli",
      benchmark === undefined ? "no redis-benchmark" : "redis-benchmark",
    ];
    return {
      topic: "redis",
      state: "fine",
      text: `${flavour} ${version}, found by ${how}: ${startLine(server, env)} (with ${programs.join(", ")})`,
      facts: { flavour, version, how, server, env },
    };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { topic: "redis", state: "missing", text: error.message };
  }
}

/** The line that starts it by hand: a private copy needs its own libraries. */
const startLine = (server: string, env: Readonly<Record<string, string>>): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${shellQuote(value)}`), shellQuote(server)].join(" ");
