import { Redis } from "ioredis";
import type { MicroBenchmark, PreparedBenchmark } from "../../bench/micro-benchmark.ts";
import type { BenchServers } from "./servers.ts";

/** One command to a server, and the same through the fault proxy without a fault. */
export function proxyBenchmarks(servers: BenchServers): readonly MicroBenchmark[] {
  return [
    {
      name: "proxy/direct",
      group: "proxy",
      unit: "µs",
      summary: "SET NX PX, to the server itself",
      prepare: async () => roundTrips((await servers.nodes(1))[0] as { host: string; port: number }),
    },
    {
      name: "proxy/through",
      group: "proxy",
      unit: "µs",
      summary: "SET NX PX, through the fault proxy without a fault",
      ratioTo: "proxy/direct",
      prepare: async () => roundTrips(await servers.behindProxy()),
    },
  ];
}

function roundTrips({ host, port }: { host: string; port: number }): PreparedBenchmark {
  const redis = new Redis({ host, port });
  let number = 0;
  return {
    async run() {
      await redis.set(`proxy:${number++ % 1_000}`, "token", "PX", 1_000, "NX");
      return undefined;
    },
    async close() {
      redis.disconnect();
    },
  };
}
