// redis-semaphore 5.8.0, RedlockMutex: a renewal that is under way writes the key again after its release.
// It is set anew on every node that had lost it; that the lock was released meanwhile is not looked at.
import { Redis } from "ioredis";
import { RedlockMutex } from "redis-semaphore";

const nodes = process.argv.slice(2).map((port) => new Redis(Number(port)));
const mutex = new RedlockMutex(nodes, "order-1", { lockTimeout: 60_000, refreshInterval: 100 });
await mutex.acquire();
await nodes[2].del("mutex:order-1"); // Node 3 lost it, as by a restart.
const set = nodes[2].set.bind(nodes[2]);
const written = new Promise((resolve) => {
  nodes[2].set = async (...call) => {
    await mutex.release(); // The holder releases just before the renewal's second command.
    resolve(await set(...call));
  };
});
await written;
const pttls = await Promise.all(nodes.map((node) => node.pttl("mutex:order-1")));
console.log(JSON.stringify({ released: !mutex.isAcquired, pttls }));
for (const node of nodes) node.disconnect();
