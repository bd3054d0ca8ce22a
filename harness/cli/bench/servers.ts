import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FaultProxy, startFaultProxy } from "../../faults/proxy/fault-proxy.ts";
import { findRedis } from "../../redis/find.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { type RedisServer, startRedisServer } from "../../redis/server.ts";
import { type Supervisor, startSupervisor } from "../../supervisor/parent.ts";

/** Servers that benchmarks share; each is started when the first of them asks. All are gone after `close`. */
export class BenchServers {
  #supervisor: Promise<Supervisor> | undefined;
  #redis: Promise<RedisInstallation> | undefined;
  #servers = new Map<number, Promise<RedisServer>>();
  #proxy: Promise<FaultProxy> | undefined;
  #folder: Promise<string> | undefined;
  readonly #redisBin: string | undefined;
  readonly #tell: (line: string) => void;

  constructor({ redisBin, tell }: { redisBin: string | undefined; tell(line: string): void }) {
    this.#redisBin = redisBin;
    this.#tell = tell;
  }

  /** What was found, if a server was asked for. */
  async installation(): Promise<RedisInstallation | undefined> {
    return await this.#redis;
  }

  /** The servers `node:1` to `node:count`. */
  async nodes(count: number): Promise<RedisServer[]> {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    return await Promise.all(
      numbers.map((number) => {
        const server = this.#servers.get(number) ?? this.#start(number);
        this.#servers.set(number, server);
        return server;
      }),
    );
  }

  /** The address of `node:1` behind the fault proxy, without a fault. */
  async behindProxy(): Promise<{ host: string; port: number }> {
    const [server] = await this.nodes(1);
    this.#proxy ??= this.#supervised().then((supervisor) => startFaultProxy({ supervisor, seed: 1 }));
    const { host, port } = server as RedisServer;
    return await (await this.#proxy).addNode({ name: "node:1", upstream: { host, port } });
  }

  async close(): Promise<void> {
    await (await this.#proxy?.catch(() => undefined))?.close();
    await (await this.#supervisor)?.close();
  }

  async #start(number: number): Promise<RedisServer> {
    const supervisor = await this.#supervised();
    this.#redis ??= findRedis({ redisBin: this.#redisBin, supervisor, onProgress: this.#tell });
    this.#folder ??= Promise.resolve(mkdtempSync(join(tmpdir(), "holdfast-bench-"))).then((path) => {
      supervisor.ownFolder(path);
      return path;
    });
    const [redis, folder] = await Promise.all([this.#redis, this.#folder]);
    return await startRedisServer({ redis, supervisor, folder, name: `node:${number}` });
  }

  #supervised(): Promise<Supervisor> {
    this.#supervisor ??= startSupervisor({ runId: `bench-${process.pid}-${Date.now().toString(36)}` });
    return this.#supervisor;
  }
}
