import { UnavailableError } from "../../errors.ts";
import { findRedis } from "../../redis/find.ts";
import type { DoctorFinding } from "./finding.ts";

/** Finds Redis as a run would, fetching a private copy where that is the way, so that the next run starts at once. */
export async function examineRedis(
  redisBin: string | undefined,
  onProgress: (line: string) => void,
): Promise<DoctorFinding> {
  try {
    const { flavour, version, how, server, cli, benchmark } = await findRedis({ redisBin, onProgress });
    const programs = [
      cli === undefined ? "no redis-cli" : "redis-cli",
      benchmark === undefined ? "no redis-benchmark" : "redis-benchmark",
    ];
    return {
      topic: "redis",
      state: "fine",
      text: `${flavour} ${version}, found by ${how}: ${server} (with ${programs.join(", ")})`,
      facts: { flavour, version, how, server },
    };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { topic: "redis", state: "missing", text: error.message };
  }
}
