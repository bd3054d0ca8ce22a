import { findRedis } from "../harness/redis/find.ts";

/** Finds a Redis before the first test, or fetches one, so that no test waits for a download or makes its own. */
export async function setup(): Promise<void> {
  await findRedis({ onProgress: (line) => console.error(line) });
}
