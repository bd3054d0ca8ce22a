// redlock 5.0.0-beta.2 (installed here as redlock5): without a majority of replies, acquire never comes back.
// A vote ends with a majority for or against; no time limit of its own, and ioredis has none either.
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { default as Redlock } from "redlock5";

const mute = createServer(() => {}).listen(0, "127.0.0.1");
await new Promise((resolve) => mute.once("listening", resolve));
const ports = [Number(process.argv[2]), mute.address().port, mute.address().port];
async function acquire(options) {
  const nodes = ports.map((port) => new Redis(port, "127.0.0.1", { enableReadyCheck: false, ...options }));
  for (const node of nodes) node.on("error", () => {});
  const redlock = new (Redlock.default ?? Redlock)(nodes, { retryCount: 0 });
  redlock.on("error", () => {});
  const still = new Promise((resolve) => setTimeout(resolve, 2_000, "still waiting"));
  return await Promise.race([
    redlock.acquire(["order-1"], 500).then(
      () => "granted",
      ({ name }) => name,
    ),
    still,
  ]);
}
console.log(JSON.stringify({ byDefault: await acquire({}), withTimeLimit: await acquire({ commandTimeout: 100 }) }));
process.exit(0);
