import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { startFaultProxy } from "../../harness/faults/proxy/fault-proxy.ts";
import { type Benchmark, type Figure, median } from "./figure.ts";
import { BenchField, freePort } from "./proxy-redis.ts";

const PAIRS = 7;
const COMMANDS = 8_000;

/** What the proxy costs without a fault, against a plain pipe in Node and, where one is installed, against Toxiproxy. */
export const proxyOverhead: Benchmark = {
  name: "proxy without a fault",
  method: `${PAIRS} rounds in turns, medians: ${COMMANDS} SET NX PX one after the other (p50 less the direct p50); redis-benchmark -c 50. Toxiproxy: toxiproxy-server on PATH or TOXIPROXY_SERVER`,
  async run() {
    const field = new BenchField();
    const redisPort = await field.startRedis();
    const proxy = await startFaultProxy({ seed: 1 });
    try {
      const ports = new Map<string, number>([["direct", redisPort]]);
      const upstream = { host: "127.0.0.1", port: redisPort };
      ports.set("fault proxy", (await proxy.addNode({ name: "node:1", upstream })).port);
      const pipe = field.start(process.execPath, [
        new URL("programs/plain-pipe.mjs", import.meta.url).pathname,
        String(redisPort),
      ]);
      ports.set("plain pipe", Number(String((await once(pipe.stdout as NonNullable<typeof pipe.stdout>, "data"))[0])));
      const toxiproxyPort = await startToxiproxy(field, redisPort);
      if (toxiproxyPort !== undefined) ports.set("Toxiproxy", toxiproxyPort);
      return await compare(ports, field);
    } finally {
      await proxy.close();
      await field.close();
    }
  },
};

async function compare(ports: ReadonlyMap<string, number>, field: BenchField): Promise<Figure[]> {
  const p50s = new Map<string, number[]>([...ports.keys()].map((name) => [name, []]));
  const rates = new Map<string, number[]>([...ports.keys()].map((name) => [name, []]));
  for (let round = 0; round < PAIRS; round++) {
    for (const [name, port] of ports) p50s.get(name)?.push(await p50Us(port));
    for (const [name, port] of ports) rates.get(name)?.push(await perSecond(port, field));
  }
  const peers = [...ports.keys()].filter((name) => name !== "direct" && name !== "fault proxy");
  const added = (name: string) => p50s.get(name)?.map((p50, round) => p50 - (p50s.get("direct")?.[round] ?? 0)) ?? [];
  const ratio = (of: number[], to: number[]) => median(of.map((value, round) => value / (to[round] ?? Number.NaN)));
  return peers.flatMap((peer): Figure[] => [
    {
      name: `added p50 against ${peer}`,
      measured: `${median(added("fault proxy")).toFixed(0)} us`,
      peer: `${peer} ${median(added(peer)).toFixed(0)} us`,
      value: ratio(added("fault proxy"), added(peer)),
      unit: "x",
      goal: { atMost: peer === "Toxiproxy" ? 0.45 : 1.3 },
    },
    {
      name: `throughput against ${peer}`,
      measured: `${median(rates.get("fault proxy") ?? []).toFixed(0)} /s`,
      peer: `${peer} ${median(rates.get(peer) ?? []).toFixed(0)} /s`,
      value: ratio(rates.get("fault proxy") ?? [], rates.get(peer) ?? []),
      unit: "x",
      goal: { atLeast: peer === "Toxiproxy" ? 1 : 0.8 },
    },
  ]);
}

async function p50Us(port: number): Promise<number> {
  const client = new Redis({ port, lazyConnect: true });
  await client.connect();
  const times = new Float64Array(COMMANDS);
  for (let index = 0; index < COMMANDS; index++) {
    const start = performance.now();
    await client.set(`bench:${index % 1000}`, "token", "PX", 1_000, "NX");
    times[index] = performance.now() - start;
  }
  client.disconnect();
  return (times.sort()[COMMANDS >> 1] as number) * 1000;
}

async function perSecond(port: number, { redis }: BenchField): Promise<number> {
  if (redis.benchmark === undefined) return Number.NaN;
  const args = [
    "-p",
    String(port),
    "-c",
    "50",
    "-n",
    "60000",
    "--csv",
    "SET",
    "key:__rand_int__",
    "v",
    "NX",
    "PX",
    "1000",
  ];
  const { stdout } = await promisify(execFile)(redis.benchmark, args, { env: { ...process.env, ...redis.env } });
  return Number(/^"[^"]*","([\d.]+)"/m.exec(stdout.split("\n").at(-2) ?? "")?.[1]);
}

async function startToxiproxy(field: BenchField, redisPort: number): Promise<number | undefined> {
  const program = process.env.TOXIPROXY_SERVER ?? "toxiproxy-server";
  const apiPort = await freePort();
  const server = field.start(program, ["-port", String(apiPort)]);
  const isThere = await new Promise<boolean>((resolve) => {
    server.on("error", () => resolve(false));
    server.on("spawn", () => resolve(true));
  });
  if (!isThere) return undefined;
  const listen = await freePort();
  const body = JSON.stringify({ name: "redis", listen: `127.0.0.1:${listen}`, upstream: `127.0.0.1:${redisPort}` });
  for (let attempt = 0; attempt < 50; attempt++) {
    const created = await fetch(`http://127.0.0.1:${apiPort}/proxies`, { method: "POST", body }).catch(() => undefined);
    if (created?.ok) return listen;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}
