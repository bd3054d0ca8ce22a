// What the harness relies on in ioredis, and what those who write locks on it must know.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { adminClient, answers } from "../../harness/redis/admin-client.ts";
import { findRedis } from "../../harness/redis/find.ts";
import { freePort } from "../../harness/redis/free-port.ts";
import { type RedisServer, startRedisServer } from "../../harness/redis/server.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

let supervisor: Supervisor;
let server: RedisServer;

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  const folder = makeOwnedFolder(supervisor);
  server = await startRedisServer({ redis: await findRedis(), supervisor, folder, name: "node:1" });
});
afterAll(async () => {
  await server.stop();
  await supervisor.close();
});

const connections = async () => ((await server.admin.client("LIST")) as string).trim().split("\n").length;

describe("ioredis", () => {
  it("says errors of a connection on standard error when nobody listens for them, and is silent otherwise", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => said.mockRestore());
    const port = await freePort();
    const quiet = adminClient({ port });
    await expect(quiet.ping()).rejects.toThrow("max retries per request");
    quiet.disconnect();
    expect(said).not.toHaveBeenCalled();

    const loud = new Redis({ port, retryStrategy: () => null });
    await new Promise((resolve) => loud.once("end", () => resolve(undefined)));
    expect(said).toHaveBeenCalled();
  });

  it("connects at once, unless it is told to be lazy: then with the first command", async () => {
    const before = await connections();
    const lazy = new Redis({ port: server.port, lazyConnect: true });
    const eager = new Redis({ port: server.port });
    onTestFinished(() => {
      lazy.disconnect();
      eager.disconnect();
    });
    await once(eager, "ready");
    expect(lazy.status).toBe("wait");
    expect(await connections()).toBe(before + 1);
    await lazy.ping();
    expect(await connections()).toBe(before + 2);
  });

  it("sends a command again by itself when the connection ends before its reply: INCR counts twice", async () => {
    const { port, dropNextReply } = await relay();
    const client = new Redis({ port, retryStrategy: () => 10 });
    client.on("error", () => {});
    onTestFinished(() => client.disconnect());
    await client.set("counter", 0);
    dropNextReply();
    expect(await client.incr("counter")).toBe(2);
  });

  it("with autoResendUnfulfilledCommands off, leaves such a command without any outcome: only a time limit ends it", async () => {
    for (const limit of [{}, { commandTimeout: 300 }]) {
      const { port, dropNextReply } = await relay();
      const client = new Redis({ port, retryStrategy: () => 10, autoResendUnfulfilledCommands: false, ...limit });
      client.on("error", () => {});
      onTestFinished(() => client.disconnect());
      await client.set("counter", 0);
      dropNextReply();
      const outcome = client.incr("counter").catch((error: Error) => error.message);
      await new Promise((resolve) => client.once("ready", () => resolve(undefined)));
      // Connected again, and answering: the command is forgotten, not late. It was applied all the same.
      expect(await client.get("counter")).toBe("1");
      if (limit.commandTimeout) expect(await outcome).toBe("Command timed out");
      else expect(await Promise.race([outcome, setTimeout(500, "nothing")])).toBe("nothing");
    }
  });

  it("speaks RESP3 from version 6 on", async () => {
    expect(await server.admin.client("INFO")).toContain("resp=3");
  });

  it("has no way to set the source address of a connection by an option", async () => {
    const client = new Redis({ port: server.port, host: "127.0.0.1", ...{ localAddress: "127.0.1.9" } });
    onTestFinished(() => client.disconnect());
    expect(await client.client("INFO")).toMatch(/ addr=127\.0\.0\.1:/);
  });

  it("goes on in database 0 when the database asked for does not exist", async () => {
    const client = new Redis({ port: server.port, db: 99 });
    const error = new Promise<Error>((resolve) => client.on("error", resolve));
    onTestFinished(() => client.disconnect());
    expect((await error).message).toContain("DB index is out of range");
    expect(await client.client("INFO")).toContain("db=0");
  });
});

describe("the client for looking after a server", () => {
  it("gives a stopped server up after its time limit, and is well afterwards", async () => {
    const client = adminClient({ port: server.port, commandTimeout: 200 });
    onTestFinished(() => client.disconnect());
    expect(await answers(client, 5_000)).toBe(true);
    await server.pause();
    await expect(client.ping()).rejects.toThrow("Command timed out");
    expect(await answers(client, 50)).toBe(false);
    await server.resume();
    expect(await answers(client, 5_000)).toBe(true);
  });

  it("finds a server again after a restart", async () => {
    await server.restart({ delayMs: 300 });
    expect(await answers(server.admin, 5_000)).toBe(true);
  });
});

/** Passes everything on to the server, and can end the connection instead of passing on the next reply. */
async function relay() {
  const sockets: Socket[] = [];
  let dropping = false;
  const listener = createServer((inbound) => {
    const outbound = connect({ host: server.host, port: server.port });
    sockets.push(inbound, outbound);
    for (const socket of [inbound, outbound]) socket.on("error", () => {});
    inbound.pipe(outbound);
    outbound.on("data", (data) => {
      if (!dropping) return void inbound.write(data);
      dropping = false;
      inbound.destroy();
      outbound.destroy();
    });
  });
  await new Promise<void>((resolve) => listener.listen({ host: "127.0.0.1", port: 0 }, resolve));
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (listener.address() as { port: number }).port,
    dropNextReply() {
      dropping = true;
    },
  };
}
