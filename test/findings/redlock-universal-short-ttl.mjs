// redlock-universal 0.8.5: using() under a TTL of 1,250 ms or less renews without a pause.
// It renews at 80 % of the TTL, but what is due within its least interval of 1 s it does at once, again and again.
import { Redis } from "ioredis";
import { createLock, IoredisAdapter } from "redlock-universal";

const redis = new Redis(Number(process.argv[2]));
async function renewalsIn2s(ttl) {
  const adapter = new IoredisAdapter(redis);
  const renew = adapter.atomicExtend.bind(adapter);
  let renewals = 0;
  adapter.atomicExtend = (...call) => {
    renewals += 1;
    return renew(...call);
  };
  const lock = createLock({ adapter, key: `order-${ttl}`, ttl });
  await lock.using(() => new Promise((resolve) => setTimeout(resolve, 2_000)));
  return renewals;
}
console.log(JSON.stringify({ of1200Ms: await renewalsIn2s(1_200), of1500Ms: await renewalsIn2s(1_500) }));
redis.disconnect();
