// simple-redis-mutex 3.0.0: refreshTimeout looks at the owner with one command and sets the TTL with the next.
// In between, A's lock expires and B takes it for a minute: A's refresh cuts B's lock down to A's TTL of 100 ms.
import { createClient } from "redis";
import { tryLock } from "simple-redis-mutex";

const url = `redis://127.0.0.1:${process.argv[2]}`;
const [a, b] = await Promise.all([createClient({ url }).connect(), createClient({ url }).connect()]);
const key = "@simple-redis-mutex:lock-order-1";
const [, releaseA] = await tryLock(a, "order-1", { timeout: 100 });
const get = a.get.bind(a);
let grantedToB = false;
a.get = async (name) => {
  const owner = await get(name);
  while (!grantedToB) [grantedToB] = await tryLock(b, "order-1", { timeout: 60_000 }); // A pause of A of 100 ms.
  return owner;
};
await releaseA.refreshTimeout();
console.log(JSON.stringify({ grantedToB, leftOfBMs: await b.pTTL(key) }));
process.exit(0);
