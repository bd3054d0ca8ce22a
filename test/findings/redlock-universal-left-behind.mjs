// redlock-universal 0.8.5, createRedlock: an acquire that failed leaves its key on nodes whose reply was late.
// It unlocks only nodes that had said OK; Redlock unlocks all. Until the TTL of 30 s is over nobody is granted the lock.
import { Redis } from "ioredis";
import { createRedlock, IoredisAdapter } from "redlock-universal";

const nodes = process.argv.slice(2).map((port) => new Redis(Number(port)));
const adapters = nodes.map((node) => new IoredisAdapter(node, { timeout: 500 }));
for (const node of nodes.slice(1)) {
  const set = node.set.bind(node);
  node.set = async (...call) => {
    const reply = await set(...call);
    await new Promise((resolve) => setTimeout(resolve, 900)); // As on a slow network, once.
    node.set = set;
    return reply;
  };
}
const lock = createRedlock({ adapters, key: "order-1", ttl: 30_000, retryAttempts: 0 });
const attempt = () =>
  lock.acquire().then(
    () => "granted",
    () => "not granted",
  );
const first = await attempt();
await new Promise((resolve) => setTimeout(resolve, 1_000));
const pttls = await Promise.all(nodes.map((node) => node.pttl("order-1")));
console.log(JSON.stringify({ first, pttls, second: await attempt() }));
for (const node of nodes) node.disconnect();
