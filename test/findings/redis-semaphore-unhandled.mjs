// redis-semaphore 5.8.0: a renewal that fails ends the process, though onLockLost is there to be told.
// Its timer calls an async function and leaves the rejection to nobody.
import { Redis } from "ioredis";
import { Mutex } from "redis-semaphore";

const redis = new Redis(Number(process.argv[2]));
const onLockLost = () => console.log(JSON.stringify({ told: true }));
const mutex = new Mutex(redis, "order-1", { lockTimeout: 1_000, refreshInterval: 50, onLockLost });
await mutex.acquire();
redis.disconnect(); // As a connection that was lost and given up.
setTimeout(() => console.log(JSON.stringify({ alive: true })), 1_000);
