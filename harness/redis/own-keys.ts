import type { Redis } from "ioredis";

const BATCH = 1_000;

/**
 * Removes the keys that begin with a prefix, and only those: on a server that others use, nothing is ever flushed.
 * Works on the client's database.
 * @returns how many were removed
 */
export async function deleteOwnKeys(client: Redis, prefix: string): Promise<number> {
  if (prefix.length < 4) throw new Error(`"${prefix}" is too short to be the prefix of a run's own keys`);
  let removed = 0;
  let cursor = "0";
  do {
    const [next, keys] = await client.scan(cursor, "MATCH", `${escapePattern(prefix)}*`, "COUNT", BATCH);
    cursor = next;
    // The pattern is not trusted alone with other people's keys.
    const own = keys.filter((key) => key.startsWith(prefix));
    if (own.length > 0) removed += await client.unlink(...own);
  } while (cursor !== "0");
  return removed;
}

/** A text as a pattern of SCAN that matches just this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]^-]/g, "\\$&");
}
