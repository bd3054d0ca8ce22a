// Removes the keys of one run from servers that it does not own, after its own process was killed: for the supervisor.
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { z } from "zod";
import { deleteOwnKeys } from "../own-keys.ts";
import { parseRedisUrl } from "../redis-url.ts";
import { clientOptions } from "../topologies/external.ts";

const { urls, keyPrefix } = z
  .object({ urls: z.array(z.string()), keyPrefix: z.string() })
  .parse(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));

await Promise.all(
  urls.map(async (url) => {
    const client = new Redis({
      ...clientOptions(parseRedisUrl(url)),
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
    client.on("error", () => {});
    try {
      await deleteOwnKeys(client, keyPrefix);
    } finally {
      client.disconnect();
    }
  }),
);
