import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findRedis } from "../../harness/redis/find.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";

/** Children of a benchmark, and a Redis among them; all end with it. */
export class BenchField {
  private readonly children: ChildProcess[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  redis!: RedisInstallation;

  async startRedis(): Promise<number> {
    this.redis = await findRedis();
    const port = await freePort();
    this.start(
      this.redis.server,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", this.folder],
      this.redis.env,
    );
    const probe = new Redis({ port, maxRetriesPerRequest: null });
    probe.on("error", () => {});
    await probe.ping();
    probe.disconnect();
    return port;
  }

  start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "ignore"] });
    // Who does not read a child's output blocks it once the pipe is full.
    child.stdout?.resume();
    this.children.push(child);
    return child;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.children.map((child) => {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return undefined;
        child.kill("SIGKILL");
        return once(child, "exit");
      }),
    );
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
