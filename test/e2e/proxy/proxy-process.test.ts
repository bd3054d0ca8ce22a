import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import os from "node:os";
import { execaNode } from "execa";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultProxy, startFaultProxy } from "../../../harness/faults/proxy/fault-proxy.ts";
import { sourceAddress } from "../../../harness/faults/proxy/sources.ts";
import { startSupervisor } from "../../../harness/supervisor/parent.ts";
import { type Field, freePort, isPending, RawClient, startField, until } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await startField();
});
afterAll(() => field.close());

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the proxy's process", () => {
  it("ends with its parent, however that ends", async () => {
    const owner = execaNode("test/fixtures/proxy/owner.ts", {
      nodePath: process.execPath,
      nodeOptions: ["--import", "jiti/register"],
    });
    owner.catch(() => {});
    const [line] = (await once(owner.stdout, "data")) as [Buffer];
    const pid = Number(String(line));
    expect(isAlive(pid)).toBe(true);
    owner.kill("SIGKILL");
    await until(() => !isAlive(pid));
  });

  it("tells when it has died, and every call then fails", async () => {
    const proxy = await startFaultProxy({ seed: 1 });
    const died = once(proxy, "died");
    process.kill(proxy.pid as number, "SIGKILL");
    const [error] = (await died) as [Error];
    expect(error.message).toContain("SIGKILL");
    await expect(proxy.stats()).rejects.toThrow(/SIGKILL/);
    await proxy.close();
  });

  const mayGoFirst = process.getuid?.() === 0 && existsSync("/proc/self/autogroup");
  it.skipIf(!mayGoFirst)("goes first while a fault is in force, its session included, and not otherwise", async () => {
    const supervisor = await startSupervisor({ runId: `go-first-${process.pid}` });
    const proxy = await startFaultProxy({ seed: 1, supervisor });
    const pid = proxy.pid as number;
    const standing = () => [
      os.getPriority(pid),
      readFileSync(`/proc/${pid}/autogroup`, "utf8").match(/nice (\S+)/)?.[1],
    ];
    const usual = standing();
    expect(usual[1]).toBe("0");
    await proxy.setFault("f", { name: "latency", targets: [], parameters: { base: 1 } });
    expect(standing()).toEqual([-10, "-10"]);
    await proxy.clearFault("f");
    expect(standing()).toEqual(usual);
    await proxy.close();
    await supervisor.close();
  });

  it.skipIf(!mayGoFirst)("leaves the share of a session alone that is not its own", async () => {
    const session = () => readFileSync("/proc/self/autogroup", "utf8");
    const before = session();
    await field.proxy.setFault("f", { name: "latency", targets: [], parameters: { base: 1 } });
    expect(session()).toBe(before);
    await field.proxy.clearFault("f");
  });

  it("uses no processor while nothing passes and nothing is delayed", async () => {
    await field.proxy.setFault("f", { name: "latency", targets: [], parameters: { base: 1 } });
    await field.client("client:1").ping();
    const before = await field.proxy.stats();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const after = await field.proxy.stats();
    expect(after.cpuMs - before.cpuMs).toBeLessThan(100);
    await field.proxy.clearFault("f");
  });
});

describe("a listener for one source", () => {
  it("takes all its connections as that source's", async () => {
    const upstream = { host: "127.0.0.1", port: field.directPorts[0] as number };
    const { port } = await field.proxy.addNode({ name: "node:1", upstream, source: "client:7" });
    const client = field.client("client:1", { port });
    await client.ping();
    await field.proxy.setFault("f", { name: "partition", targets: ["client:7-node:1"], parameters: {} });
    const reply = client.ping();
    expect(await isPending(reply)).toBe(true);
    expect(await field.client("client:1").ping()).toBe("PONG");
    await field.proxy.clearFault("f");
    expect(await reply).toBe("PONG");
  });
});

describe("replication through the proxy", () => {
  it("works, and its link can be cut by the replica's name", async () => {
    const replicaPort = await field.startRedis(["--bind-source-addr", sourceAddress("node:2")]);
    const { port } = await field.proxy.addNode({ name: "node:2", upstream: { host: "127.0.0.1", port: replicaPort } });
    const replica = field.client("client:1", { port });
    const seen: string[] = [];
    field.proxy.on("unframed", ({ source, node, reason }) => seen.push(`${source}-${node}: ${reason}`));
    await field.direct().set("before", "1");
    await replica.replicaof("127.0.0.1", field.proxiedPorts[0] as number);
    await until(async () => (await replica.get("before")) === "1");
    expect(seen).toContain("node:2-node:1: replication");
    await field.proxy.setFault("cut", { name: "partition", targets: ["node:2-node:1"], parameters: {} });
    await field.client("client:1").set("during", "1");
    expect(await field.direct().wait(1, 200)).toBe(0);
    expect(await replica.get("during")).toBeNull();
    await field.proxy.clearFault("cut");
    await until(async () => (await replica.get("during")) === "1");
  });
});

/** A server that sends what the test says, to see how the proxy frames it. */
describe("with a scripted server", () => {
  let proxy: FaultProxy;
  const servers: (() => void)[] = [];
  beforeAll(async () => {
    proxy = await startFaultProxy({ seed: 1 });
  });
  afterAll(() => proxy.close());
  afterEach(() => {
    for (const close of servers.splice(0)) close();
  });

  async function scripted(name: string, onData: (socket: Socket, text: string) => void) {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      socket.setNoDelay();
      socket.on("data", (data) => onData(socket, String(data)));
    });
    const port = await freePort();
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    servers.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const address = await proxy.addNode({ name, upstream: { host: "127.0.0.1", port } });
    return { address, sockets };
  }

  it("eats a second reply that comes byte by byte, among pushes and attributes", async () => {
    const reply = "|1\r\n+ttl\r\n:10\r\n*2\r\n$3\r\na\r\n\r\n:1\r\n";
    const push = ">2\r\n+invalidate\r\n*1\r\n$1\r\nx\r\n";
    let hasAnswered = false;
    const { address } = await scripted("s1", (socket) => {
      // The two requests may come in one piece or in two.
      if (hasAnswered) return;
      hasAnswered = true;
      void (async () => {
        for (const byte of `${push}${reply}${push}${reply}${push}+PONG\r\n`) {
          socket.write(byte);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
    });
    await proxy.setFault("twice", { name: "duplicate", targets: [], parameters: { command: "GET" } });
    const socket = connect(address);
    await once(socket, "connect");
    const raw = new RawClient(socket);
    raw.send("GET x\r\n");
    await raw.until((text) => text.endsWith("+PONG\r\n") || text.length > 200);
    expect(raw.text).toBe(`${push}${reply}${push}${push}+PONG\r\n`);
    await proxy.clearFault("twice");
  });

  it("passes what is no RESP as bytes, says so, and still delays it", async () => {
    const { address } = await scripted("s2", (socket, text) => socket.write(`HTTP/1.1 ${text}`));
    const seen: string[] = [];
    proxy.on("unframed", ({ node, reason }) => seen.push(`${node}: ${reason}`));
    const socket = connect(address);
    const chunks: string[] = [];
    socket.on("data", (data) => chunks.push(String(data)));
    await proxy.setFault("late", { name: "latency", targets: ["node:1"], parameters: { base: 1 } });
    socket.write("*nonsense\r\n");
    await until(() => chunks.join("").endsWith("nonsense\r\n"));
    await until(() => seen.length > 0);
    expect(chunks.join("")).toBe("HTTP/1.1 *nonsense\r\n");
    expect(seen[0]).toMatch(/^s2: .*byte/);
    socket.destroy();
    await proxy.clearFault("late");
  });
});
