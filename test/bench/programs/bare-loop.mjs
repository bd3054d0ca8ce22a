// The same acquire and release as set-nx makes them, at random arrivals, with nothing else around: prints the median
// latency of its acquisitions in ns. Arguments: port, arrivals per second, seconds, hold in ms.
import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";

const [port, perSecond, seconds, holdMs] = process.argv.slice(2).map(Number);
const lua = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`;
const client = new Redis({ port, host: "127.0.0.1", scripts: { releaseIfOwner: { lua, numberOfKeys: 1 } } });
await client.ping();

const latenciesNs = [];
let holds = 0;
async function hold() {
  holds += 1;
  const key = `bare:${process.pid}:${holds}`;
  const token = randomBytes(16).toString("hex");
  const before = process.hrtime.bigint();
  await client.set(key, token, "PX", 15_000, "NX");
  latenciesNs.push(Number(process.hrtime.bigint() - before));
  await new Promise((resolve) => setTimeout(resolve, holdMs));
  await client.releaseIfOwner(key, token);
}

const end = performance.now() + seconds * 1000;
while (performance.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, (-Math.log(1 - Math.random()) * 1000) / perSecond));
  void hold();
}
await new Promise((resolve) => setTimeout(resolve, holdMs + 200));
latenciesNs.sort((a, b) => a - b);
console.log(latenciesNs[latenciesNs.length >> 1]);
client.disconnect();
