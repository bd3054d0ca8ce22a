// redis-semaphore 5.8.0, RedlockMutex: one mute node of three keeps acquire for ever, acquireTimeout or not.
// It waits for the replies of all nodes, with a limit of its own for none of them.
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { RedlockMutex } from "redis-semaphore";

const mute = createServer(() => {}).listen(0, "127.0.0.1");
await new Promise((resolve) => mute.once("listening", resolve));
const ports = [...process.argv.slice(2, 4).map(Number), mute.address().port];
const nodes = ports.map((port) => new Redis(port, "127.0.0.1", { enableReadyCheck: false }));
const mutex = new RedlockMutex(nodes, "order-1", { lockTimeout: 500, acquireTimeout: 200 });
const still = new Promise((resolve) => setTimeout(resolve, 2_000, "still waiting"));
console.log(JSON.stringify({ after2s: await Promise.race([mutex.tryAcquire(), still]) }));
process.exit(0);
