// What `--rate max` does, with nothing that writes it down: so many cycles of acquire and release in flight, as set-nx
// does them, by a client that pipelines by itself. Prints cycles a second. Arguments: PORT IN_FLIGHT SECONDS.
import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";

const [port, inFlight, seconds] = process.argv.slice(2).map(Number);
const lua = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`;
const scripts = { releaseIfOwner: { lua, numberOfKeys: 1 } };
const client = new Redis({ port, host: "127.0.0.1", enableAutoPipelining: true, scripts });
await client.ping();

let cycles = 0;
const startMs = performance.now();
const endMs = startMs + seconds * 1000;
await Promise.all(Array.from({ length: inFlight }, (_, lane) => runLane(lane)));
console.log((cycles * 1000) / (performance.now() - startMs));
client.disconnect();

async function runLane(lane) {
  for (let cycle = 0; performance.now() < endMs; cycle += 1) {
    const key = `bare:lock:${process.pid}-${lane}-${cycle}`;
    const token = randomBytes(16).toString("hex");
    await client.set(key, token, "PX", 15_000, "NX");
    await client.releaseIfOwner(key, token);
    cycles += 1;
  }
}
