// What the harness watches, with nothing that watches: a producer adds jobs to a stream at random times; workers take
// them, acquire as set-nx does, look whether the delivery is theirs, have their effect on a second server, acknowledge and
// release. A worker prints the median latency of its acquisitions in ns: as in the harness, all that it takes to acquire,
// the making of a token included. It acquires as soon as it has a job, and asks for the next one after that, as loops do;
// with `asks-first` it is the other way round, as in the harness: then the next read is in nobody's way.
// Arguments: `producer` PORT JOBS_PER_SECOND SECONDS, or `worker` PORT EFFECTS_PORT NAME SECONDS HOLD_MS [asks-first].
import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";

const [role, port, ...rest] = process.argv.slice(2);
const release = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`;
const acknowledge = `redis.call("XACK", KEYS[1], ARGV[1], ARGV[2])
return redis.call("XDEL", KEYS[1], ARGV[2])`;
const scripts = {
  releaseIfOwner: { lua: release, numberOfKeys: 1 },
  acknowledge: { lua: acknowledge, numberOfKeys: 1 },
};
const connect = (to = port) => new Redis({ port: to, host: "127.0.0.1", scripts });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

if (role === "producer") await produce(...rest.map(Number));
else await work(rest[0], rest[1], ...rest.slice(2, 4).map(Number), rest[4] === "asks-first");

async function produce(perSecond, seconds) {
  const client = connect();
  await client.xgroup("CREATE", "jobs", "workers", "0", "MKSTREAM");
  console.log("ready");
  await sleep(500);
  const end = performance.now() + seconds * 1000;
  for (let job = 0; performance.now() < end; job += 1) {
    await sleep((-Math.log(1 - Math.random()) * 1000) / perSecond);
    void client.xadd("jobs", "*", "job", `j${job}`);
  }
  client.disconnect();
}

async function work(effectsPort, name, seconds, holdMs, asksFirst) {
  const [reader, queue, client, effects] = [connect(), connect(), connect(), connect(effectsPort)];
  await Promise.all([reader, queue, client, effects].map((each) => each.ping()));
  const latenciesNs = [];

  async function hold(id, job) {
    if (asksFirst) await undefined;
    const before = process.hrtime.bigint();
    const token = randomBytes(16).toString("hex");
    await client.set(`bare:${job}`, token, "PX", 15_000, "NX");
    latenciesNs.push(Number(process.hrtime.bigint() - before));
    const [entry] = await queue.xpending("jobs", "workers", id, id, 1);
    if (entry?.[1] !== name) throw new Error(`${id} is another's`);
    await sleep(holdMs);
    await effects.xadd("effects", "*", "job", job, "worker", name);
    await queue.acknowledge("jobs", "workers", id);
    await client.releaseIfOwner(`bare:${job}`, token);
  }

  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const read = ["GROUP", "workers", name, "COUNT", 10, "BLOCK", 200, "STREAMS", "jobs", ">"];
    const replies = await reader.xreadgroup(...read);
    for (const [id, fields] of replies?.[0]?.[1] ?? []) void hold(id, fields[1]);
  }
  await sleep(holdMs + 200);
  latenciesNs.sort((a, b) => a - b);
  console.log(latenciesNs[latenciesNs.length >> 1]);
  for (const each of [reader, queue, client, effects]) each.disconnect();
}
