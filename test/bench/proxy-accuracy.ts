import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { sharpenTimers } from "../../harness/faults/proxy/delay/precise-alarm.ts";
import { type FaultProxy, startFaultProxy } from "../../harness/faults/proxy/fault-proxy.ts";
import { type Benchmark, type Figure, median } from "./figure.ts";
import { withRedis } from "./redis.ts";

const RUNS = 5;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 4_000;
const CONNECTIONS = 8;

/** How exact delays are: as the proxy records them, and as seen from outside against the same load without a delay. */
export const proxyAccuracy: Benchmark = {
  name: "delays of the proxy",
  method: `${RUNS} runs each of ${MEASURED_MS / 1000} s after ${WARM_UP_MS / 1000} s of warm-up, medians; PING at random arrivals over ${CONNECTIONS} connections; error = time of write - (time of read + delay asked); from outside: a quantile of the round trips less the same one without delay, less the delay asked, since what client, Redis and machine are late by without a delay is not the delay's`,
  async run() {
    sharpenTimers();
    return withRedis(async ({ port }, _redis, supervisor) => {
      const proxy = await startFaultProxy({ seed: 1, supervisor });
      try {
        const node = await proxy.addNode({ name: "node:1", upstream: { host: "127.0.0.1", port } });
        const figures: Figure[] = [];
        for (const perSecond of [120, 5_000]) {
          const base = await repeated(() => load(node.port, perSecond));
          for (const delayMs of [0.5, 2]) figures.push(...(await measure(proxy, node.port, perSecond, delayMs, base)));
        }
        return figures;
      } finally {
        await proxy.close();
      }
    });
  },
};

interface RoundTrips {
  p50Ms: number;
  p99Ms: number;
}

async function measure(
  proxy: FaultProxy,
  port: number,
  perSecond: number,
  delayMs: number,
  base: RoundTrips,
): Promise<Figure[]> {
  const inside: { p50Ms: number; p99Ms: number; cpu: number }[] = [];
  await proxy.setFault("delay", { name: "latency", targets: [], parameters: { base: delayMs } });
  const outside = await repeated(async () => {
    const warm = setTimeout(() => void proxy.stats({ reset: true }), WARM_UP_MS);
    const before = await proxy.stats();
    const seen = await load(port, perSecond);
    clearTimeout(warm);
    const { delayErrors, cpuMs } = await proxy.stats();
    inside.push({ ...delayErrors, cpu: (cpuMs - before.cpuMs) / (WARM_UP_MS + MEASURED_MS) });
    return seen;
  });
  await proxy.clearFault("delay");
  const what = `${delayMs} ms at ${perSecond}/s`;
  const of = (pick: (run: (typeof inside)[number]) => number) => median(inside.map(pick));
  const cpu = `CPU ${(100 * of((run) => run.cpu)).toFixed(0)} %`;
  const figure = (name: string, value: number, peer: string, atMost: number): Figure => ({
    name: `${what}, ${name}`,
    measured: `${value.toFixed(3)} ms`,
    peer,
    value,
    unit: "ms",
    goal: { atMost },
  });
  const p99Goal = perSecond === 120 ? 1 : 0.5;
  const beyond = (name: string, quantile: keyof RoundTrips, atMost: number) => {
    const seen = `${outside[quantile].toFixed(3)} ms with, ${base[quantile].toFixed(3)} ms without the delay`;
    return figure(`from outside ${name}`, outside[quantile] - base[quantile] - delayMs, seen, atMost);
  };
  return [
    figure(
      "error p50",
      of((run) => run.p50Ms),
      cpu,
      0.1,
    ),
    figure(
      "error p99",
      of((run) => run.p99Ms),
      cpu,
      p99Goal,
    ),
    beyond("p50", "p50Ms", 0.1),
    beyond("p99", "p99Ms", p99Goal + 0.3),
  ];
}

async function repeated(run: () => Promise<RoundTrips>): Promise<RoundTrips> {
  const runs = [];
  for (let index = 0; index < RUNS; index++) runs.push(await run());
  return { p50Ms: median(runs.map(({ p50Ms }) => p50Ms)), p99Ms: median(runs.map(({ p99Ms }) => p99Ms)) };
}

/** Round trips of an open loop: PINGs at random times, on one connection after the other. */
async function load(port: number, perSecond: number): Promise<RoundTrips> {
  const times: number[] = [];
  const start = performance.now();
  const lanes = await Promise.all(Array.from({ length: CONNECTIONS }, () => openLane(port, start + WARM_UP_MS, times)));
  const end = start + WARM_UP_MS + MEASURED_MS;
  let sent = 0;
  for (let next = performance.now(); next < end; next += -Math.log(1 - Math.random()) * (1000 / perSecond)) {
    while (performance.now() < next) await turn(next - performance.now());
    lanes[sent++ % CONNECTIONS]?.send();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const { socket } of lanes) socket.destroy();
  times.sort((a, b) => a - b);
  return { p50Ms: times[times.length >> 1] as number, p99Ms: times[Math.floor(times.length * 0.99)] as number };
}

const napCell = new Int32Array(new SharedArrayBuffer(4));

/** One turn of the event loop; waits like the proxy does, so that replies are seen within some 30 us. */
async function turn(leftMs: number): Promise<void> {
  if (leftMs > 3) await new Promise((resolve) => setTimeout(resolve, 1));
  else {
    if (leftMs > 0.06) Atomics.wait(napCell, 0, 0, 0.02);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function openLane(port: number, fromMs: number, times: number[]): Promise<{ socket: Socket; send(): void }> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const sentAt: number[] = [];
  let bytes = 0;
  socket.on("data", (data: Buffer) => {
    const now = performance.now();
    bytes += data.length;
    for (; bytes >= 7; bytes -= 7) {
      const sent = sentAt.shift() as number;
      if (sent >= fromMs) times.push(now - sent);
    }
  });
  return {
    socket,
    send() {
      sentAt.push(performance.now());
      socket.write("PING\r\n");
    },
  };
}
