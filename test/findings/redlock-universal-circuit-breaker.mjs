// redlock-universal 0.8.5: after five acquires of a lock that failed for the network's sake, it asks no more for a minute,
// though the server answers again.
import { Redis } from "ioredis";
import { createLock, IoredisAdapter } from "redlock-universal";

const [admin, redis] = [{}, { commandTimeout: 20 }].map((options) => new Redis(Number(process.argv[2]), options));
const lock = createLock({ adapter: new IoredisAdapter(redis), key: "order", ttl: 1_000, retryAttempts: 0 });
const outcome = () =>
  lock.acquire().then(
    () => "granted",
    (error) => error.message.replace(/.*: /, ""),
  );
await admin.ping();
await redis.ping();
await admin.call("CLIENT", "PAUSE", "500", "ALL");
const slow = [];
for (let attempt = 0; attempt < 5; attempt++) slow.push(await outcome());
await new Promise((resolve) => setTimeout(resolve, 2_000));
const [ping, free] = [await redis.ping(), (await redis.exists("order")) === 0];
console.log(JSON.stringify({ slow: slow.at(0), ping, free, acquire: await outcome() }));
for (const client of [admin, redis]) client.disconnect();
