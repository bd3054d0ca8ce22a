import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AbstractConnector, Redis, type RedisOptions } from "ioredis";
import { type FaultProxy, startFaultProxy } from "../../../harness/faults/proxy/fault-proxy.ts";
import { sourceAddress } from "../../../harness/faults/proxy/sources.ts";
import { findRedis } from "../../../harness/redis/find.ts";

export interface Field {
  proxy: FaultProxy;
  /** Port of `node:1`, `node:2`, ... past the proxy. */
  directPorts: readonly number[];
  /** Port of the same through the proxy. */
  proxiedPorts: readonly number[];
  /** A client that comes from this source, through the proxy; it neither reconnects nor sends again. */
  client(source: string, options?: ClientOptions & { node?: number }): Redis;
  /** A client past the proxy. */
  direct(node?: number): Redis;
  raw(source: string, node?: number): Promise<RawClient>;
  startRedis(config?: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

type ClientOptions = Omit<RedisOptions, "replyMapping">;

/** ioredis has no option for the local address. */
function connectorFrom(source: string) {
  return class extends AbstractConnector {
    private readonly port: number;

    constructor(options: unknown) {
      super(2_000);
      this.port = (options as { port: number }).port;
    }

    override connect(): Promise<Socket> {
      this.connecting = true;
      this.stream = createConnection({ port: this.port, host: "127.0.0.1", localAddress: sourceAddress(source) });
      return Promise.resolve(this.stream);
    }
  };
}

/** Real Redis servers behind a real proxy. */
export async function startField({ nodes = 1, seed = 1 }: { nodes?: number; seed?: number } = {}): Promise<Field> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-proxy-"));
  const servers: ChildProcess[] = [];
  const clients: Redis[] = [];
  const sockets: Socket[] = [];
  const installation = await findRedis();
  async function startRedis(config: readonly string[] = []): Promise<number> {
    const port = await freePort();
    const server = spawn(
      installation.server,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...config],
      { env: { ...process.env, ...installation.env }, stdio: "ignore" },
    );
    servers.push(server);
    const probe = new Redis({ port, maxRetriesPerRequest: null });
    probe.on("error", () => {});
    await probe.ping();
    probe.disconnect();
    return port;
  }
  const directPorts: number[] = [];
  for (let index = 0; index < nodes; index++) directPorts.push(await startRedis());
  const proxy = await startFaultProxy({ seed });
  const proxiedPorts: number[] = [];
  for (const [index, port] of directPorts.entries()) {
    const address = await proxy.addNode({ name: `node:${index + 1}`, upstream: { host: "127.0.0.1", port } });
    proxiedPorts.push(address.port);
  }
  function open(options: ClientOptions): Redis {
    const client = new Redis({ retryStrategy: () => null, maxRetriesPerRequest: 0, ...options });
    client.on("error", () => {});
    clients.push(client);
    return client;
  }
  return {
    proxy,
    directPorts,
    proxiedPorts,
    startRedis,
    client: (source, { node = 1, ...options } = {}) =>
      open({ Connector: connectorFrom(source), port: proxiedPorts[node - 1] as number, ...options }),
    direct: (node = 1) => open({ port: directPorts[node - 1] as number }),
    async raw(source, node = 1) {
      const socket = connect({
        port: proxiedPorts[node - 1] as number,
        host: "127.0.0.1",
        localAddress: sourceAddress(source),
      });
      sockets.push(socket);
      await once(socket, "connect");
      return new RawClient(socket);
    },
    async close() {
      for (const client of clients) client.disconnect();
      for (const socket of sockets) socket.destroy();
      await proxy.close();
      await Promise.all(
        servers.map((server) => {
          if (server.exitCode !== null || server.signalCode !== null) return undefined;
          server.kill("SIGKILL");
          return once(server, "exit");
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A bare socket: what exactly arrives, in which pieces, and how it ends. */
export class RawClient {
  readonly socket: Socket;
  readonly pieces: Buffer[] = [];
  /** `end`, `ECONNRESET`, ... */
  ending: string | undefined;
  private readonly waiters = new Set<() => void>();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay();
    socket.on("data", (piece: Buffer) => {
      this.pieces.push(piece);
      this.wake();
    });
    socket.on("end", () => this.end("end"));
    socket.on("error", (error: NodeJS.ErrnoException) => this.end(error.code ?? error.message));
    socket.on("close", () => this.end("close"));
  }

  get text(): string {
    return Buffer.concat(this.pieces).toString("latin1");
  }

  send(text: string): void {
    this.socket.write(text, "latin1");
  }

  /** Resolves once the text received so far satisfies the condition. */
  async until(condition: (text: string) => boolean): Promise<string> {
    while (!condition(this.text)) {
      if (this.ending) throw new Error(`The connection ended with ${this.ending} after ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => this.waiters.add(resolve));
    }
    return this.text;
  }

  /** Resolves with the way the connection ended. */
  async ended(): Promise<string> {
    while (!this.ending) await new Promise<void>((resolve) => this.waiters.add(resolve));
    return this.ending;
  }

  private end(how: string): void {
    this.ending ??= how;
    this.wake();
  }

  private wake(): void {
    for (const waiter of this.waiters) waiter();
    this.waiters.clear();
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

/** True if the promise is still pending after a time in which everything that can happen at once has happened. */
export async function isPending(promise: Promise<unknown>, ms = 150): Promise<boolean> {
  const pending = Symbol("pending");
  const timer = new Promise((resolve) => setTimeout(() => resolve(pending), ms));
  return (await Promise.race([promise.catch(() => undefined), timer])) === pending;
}

/** Waits for something to become true; the test's own time limit is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
