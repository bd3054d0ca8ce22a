// redlock 5.0.0-beta.2 (installed here as redlock5): acquire returns a lock that is over already.
// The reply comes 300 ms late, under a TTL of 100 ms; whether anything is left of the TTL is not looked at.
import { Redis } from "ioredis";
import { default as Redlock } from "redlock5";

const redis = new Redis(Number(process.argv[2]));
const run = redis.eval.bind(redis);
redis.eval = async (...call) => {
  const reply = await run(...call);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return reply;
};
const redlock = new (Redlock.default ?? Redlock)([redis], { retryCount: 0 });
const lock = await redlock.acquire(["order-1"], 100);
const leftMs = lock.expiration - Date.now();
console.log(JSON.stringify({ granted: true, leftMs, onServer: await redis.get("order-1") }));
redis.disconnect();
