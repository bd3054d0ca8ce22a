import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Toxiproxy } from "toxiproxy-node-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ProxyServer, runProxyServer } from "../../../harness/faults/toxiproxy-api/run-proxy-server.ts";
import { ToxiproxyNetwork } from "../../../harness/faults/toxiproxy-api/toxiproxy-network.ts";
import { type Field, isPending, RawClient, startField, until } from "./field.ts";

let field: Field;
let server: ProxyServer;
let toxiproxy: Toxiproxy;
let upstream: string;
beforeAll(async () => {
  field = await startField();
  upstream = `127.0.0.1:${field.directPorts[0]}`;
  server = await runProxyServer({ port: 0, seed: 5 });
  toxiproxy = new Toxiproxy(server.url);
});
afterAll(async () => {
  await server.close();
  await field.close();
});
afterEach(async () => {
  for (const proxy of Object.values(await toxiproxy.getAll())) await proxy.remove();
});

const redisProxy = () => toxiproxy.createProxy({ name: "redis", listen: "localhost:0", upstream });
const toxic = (type: string, attributes: object, more: object = {}) =>
  ({ type, attributes, stream: "downstream", toxicity: 1, name: "", ...more }) as never;

async function open(listen: string): Promise<RawClient> {
  const socket = connect({ port: Number(listen.split(":")[1]), host: "127.0.0.1" });
  await once(socket, "connect");
  return new RawClient(socket);
}

async function json(method: string, path: string, body?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(server.url + path, { method, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe("the API, driven by toxiproxy-node-client", () => {
  it("tells a version of 2", async () => {
    expect(JSON.parse(await toxiproxy.getVersion()).version).toMatch(/^2\.\d+\.\d+/);
  });

  it("creates, shows, updates and removes proxies that forward", async () => {
    const proxy = await redisProxy();
    expect(proxy.toJson()).toEqual({
      enabled: true,
      name: "redis",
      upstream,
      listen: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
    const raw = await open(proxy.listen);
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
    expect((await toxiproxy.get("redis")).listen).toBe(proxy.listen);
    expect(Object.keys(await toxiproxy.getAll())).toEqual(["redis"]);
    const disabled = await proxy.update({ enabled: false, listen: proxy.listen, upstream });
    expect(disabled.enabled).toBe(false);
    expect(await raw.ended()).toBe("end");
    await expect(open(proxy.listen)).rejects.toThrow(/ECONNREFUSED/);
    const enabled = await proxy.update({ enabled: true, listen: proxy.listen, upstream });
    expect(enabled).toMatchObject({ enabled: true, listen: proxy.listen });
    (await open(proxy.listen)).send("PING\r\n");
    await proxy.remove();
    await expect(toxiproxy.get("redis")).rejects.toThrow(/404/);
  });

  it("populates, and leaves alone what is the same", async () => {
    const first = await toxiproxy.populate([{ name: "a", listen: "127.0.0.1:0", upstream }]);
    const listen = first.a?.listen as string;
    const again = await toxiproxy.populate([
      { name: "a", listen, upstream },
      { name: "b", listen: "127.0.0.1:0", upstream, enabled: false },
    ]);
    expect(again.a?.listen).toBe(listen);
    expect(again.b?.enabled).toBe(false);
  });

  it("adds, shows, updates and removes toxics, in force at once", async () => {
    const proxy = await redisProxy();
    const raw = await open(proxy.listen);
    const latency = await proxy.addToxic(toxic("latency", { latency: 60_000 }));
    expect(latency.toJson()).toEqual({
      name: "latency_downstream",
      type: "latency",
      stream: "downstream",
      toxicity: 1,
      attributes: { latency: 60_000, jitter: 0 },
    });
    raw.send("PING\r\n");
    expect(await isPending(raw.until((text) => text !== ""))).toBe(true);
    expect((await proxy.getToxic("latency_downstream")).attributes).toEqual({ latency: 60_000, jitter: 0 });
    const changed = await latency.update({ attributes: { jitter: 3 }, toxicity: 0.5 } as never);
    expect(changed.toJson()).toMatchObject({ toxicity: 0.5, attributes: { latency: 60_000, jitter: 3 } });
    await latency.remove();
    await raw.until((text) => text === "+PONG\r\n");
    expect((await json("GET", "/proxies/redis/toxics")).body).toEqual([]);
  });

  it("resets: toxics gone, proxies enabled", async () => {
    const proxy = await redisProxy();
    await proxy.addToxic(toxic("timeout", { timeout: 0 }));
    await proxy.update({ enabled: false, listen: proxy.listen, upstream });
    await toxiproxy.reset();
    const raw = await open(proxy.listen);
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
  });

  it("does every toxic of Toxiproxy", async () => {
    const proxy = await redisProxy();
    const during = async <Value>(
      type: string,
      attributes: object,
      use: (raw: RawClient) => Promise<Value>,
      stream = "downstream",
    ) => {
      const raw = await open(proxy.listen);
      const added = await proxy.addToxic(toxic(type, attributes, { stream }));
      try {
        return await use(raw);
      } finally {
        await added.remove();
      }
    };
    const start = performance.now();
    const ping = async (raw: RawClient) => {
      raw.send("PING\r\n");
      await raw.until((text) => text === "+PONG\r\n");
    };
    await during("latency", { latency: 120, jitter: 20 }, ping, "upstream");
    expect(performance.now() - start).toBeGreaterThanOrEqual(100);
    await during("bandwidth", { rate: 10 }, async (raw) => {
      const began = performance.now();
      raw.send(`ECHO ${"x".repeat(2_000)}\r\n`);
      await raw.until((text) => text.length > 2_000);
      expect(performance.now() - began).toBeGreaterThanOrEqual(200);
    });
    await during("bandwidth", { rate: 0 }, async (raw) => {
      raw.send("PING\r\n");
      expect(await isPending(raw.until((text) => text !== ""))).toBe(true);
    });
    await during("slicer", { average_size: 20, size_variation: 5, delay: 3_000 }, async (raw) => {
      raw.send(`ECHO ${"x".repeat(200)}\r\n`);
      await raw.until((text) => text.length === 208);
      expect(raw.pieces.length).toBeGreaterThan(4);
    });
    await during("timeout", { timeout: 80 }, async (raw) => {
      raw.send("PING\r\n");
      expect(await raw.ended()).toBe("end");
      expect(raw.text).toBe("");
    });
    await during("reset_peer", { timeout: 10 }, async (raw) => expect(await raw.ended()).toBe("ECONNRESET"));
    await during("limit_data", { bytes: 9 }, async (raw) => {
      raw.send("PING\r\nPING\r\n");
      await raw.ended();
      expect(raw.text).toBe("+PONG\r\n+P");
    });
    await during("slow_close", { delay: 150 }, async (raw) => {
      const began = performance.now();
      raw.send("QUIT\r\n");
      await raw.ended();
      expect(performance.now() - began).toBeGreaterThanOrEqual(150);
    });
  });

  it("takes the proxy's own faults as types of toxics", async () => {
    const proxy = await redisProxy();
    const raw = await open(proxy.listen);
    const added = await proxy.addToxic(toxic("error_reply", { command: "SET", error: "OOM" }));
    raw.send("SET a 1\r\nGET a\r\n");
    await raw.until((text) => text.endsWith("$-1\r\n"));
    expect(raw.text).toMatch(/^-OOM/);
    await added.remove();
    await proxy.addToxic(toxic("delay-reply", { command: "GET", base: "80ms" }));
    const began = performance.now();
    raw.send("GET a\r\n");
    await raw.until((text) => text.endsWith("$-1\r\n$-1\r\n"));
    expect(performance.now() - began).toBeGreaterThanOrEqual(80);
  });
});

describe("the API's refusals", () => {
  it.each([
    ["GET", "/proxies/none", undefined, 404, "proxy not found"],
    ["DELETE", "/proxies/none", undefined, 404, "proxy not found"],
    ["POST", "/proxies", "{", 400, "bad request body"],
    ["POST", "/proxies", '{"upstream":"x:1"}', 400, "missing required field: name"],
    ["POST", "/proxies", '{"name":"x"}', 400, "missing required field: upstream"],
    ["POST", "/proxies", '{"name":"x","upstream":"nonsense"}', 400, "no address"],
    ["POST", "/proxies", '{"name":"x","upstream":"a:1","listen":"0.0.0.0:0"}', 400, "not loopback"],
    ["POST", "/populate", '[{"name":"x"}]', 400, "upstream at proxy 1"],
    ["GET", "/nothing", undefined, 404, "page not found"],
  ])("%s %s %s: %s", async (method, path, body, status, message) => {
    expect(await json(method, path, body)).toEqual({
      status,
      body: { error: expect.stringContaining(message), status },
    });
  });

  it("of toxics: unknown type, stream, attribute, value, name taken", async () => {
    await redisProxy();
    const post = (body: object) => json("POST", "/proxies/redis/toxics", JSON.stringify(body));
    expect((await post({ type: "latency", attributes: { latency: 1 } })).status).toBe(200);
    expect(await post({ type: "latency", attributes: {} })).toMatchObject({ status: 409 });
    expect(await post({ type: "gravity" })).toMatchObject({ status: 400, body: { error: "invalid toxic type" } });
    expect(await post({ type: "latency", stream: "sideways" })).toMatchObject({ status: 400 });
    expect(await post({ type: "latency", name: "x", attributes: { latency: "long" } })).toMatchObject({ status: 400 });
    expect(await post({ type: "lose_reply", name: "y", attributes: { comand: "GET" } })).toMatchObject({ status: 400 });
    expect(await json("GET", "/proxies/redis/toxics/none")).toMatchObject({
      status: 404,
      body: { error: "toxic not found" },
    });
    expect(await json("POST", "/proxies", JSON.stringify({ name: "redis", upstream }))).toMatchObject({ status: 409 });
  });

  it("turns away browsers", async () => {
    const response = await fetch(`${server.url}/proxies`, { headers: { "User-Agent": "Mozilla/5.0" } });
    expect(response.status).toBe(403);
  });
});

describe("runProxyServer", () => {
  it("starts the proxies of a configuration, and refuses a bad one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-config-"));
    const config = join(folder, "proxies.json");
    writeFileSync(config, JSON.stringify([{ name: "redis", listen: "127.0.0.1:0", upstream }]));
    const own = await runProxyServer({ port: 0, config });
    const raw = await open(own.proxies[0]?.listen as string);
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
    await own.close();
    writeFileSync(config, '[{"name":"redis"}]');
    await expect(runProxyServer({ port: 0, config })).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringContaining("upstream"),
    });
    await expect(runProxyServer({ port: Number(new URL(server.url).port) })).rejects.toMatchObject({ exitCode: 69 });
    rmSync(folder, { recursive: true });
  });
});

describe("a Toxiproxy server as the network of a run", () => {
  it("does what it can, and puts everything back", async () => {
    const network = await ToxiproxyNetwork.connect({ url: server.url, prefix: "run-1", clients: 2 });
    const address = await network.addNode({
      name: "node:1",
      upstream: { host: "127.0.0.1", port: field.directPorts[0] as number },
    });
    const listen = `${address.host}:${address.port}`;
    const raw = await open(listen);
    const set = await network.setFault("f1", {
      name: "latency",
      targets: ["client:1-node:1", "client:2-node:1"],
      parameters: { base: 60_000 },
    });
    raw.send("PING\r\n");
    expect(await isPending(raw.until((text) => text !== ""))).toBe(true);
    const cleared = await network.clearFault("f1");
    expect(cleared.atNs).toBeGreaterThan(set.atNs);
    await raw.until((text) => text === "+PONG\r\n");
    await network.setFault("f2", { name: "refuse", targets: ["node:1"], parameters: {} });
    await expect(open(listen)).rejects.toThrow(/ECONNREFUSED/);
    await network.clearFault("f2");
    const hole = await open(listen);
    await network.setFault("f3", { name: "black-hole", targets: ["node:1"], parameters: {} });
    hole.send("PING\r\n");
    expect(await isPending(hole.until((text) => text !== ""))).toBe(true);
    await network.clearFault("f3");
    await until(() => hole.ending !== undefined);
    await network.close();
    expect(await toxiproxy.getAll()).toEqual({});
  });

  it("tells that no server answers", async () => {
    const url = "http://127.0.0.1:1";
    await expect(ToxiproxyNetwork.connect({ url, prefix: "x", clients: 1 })).rejects.toMatchObject({ exitCode: 69 });
  });
});
