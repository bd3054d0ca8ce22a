import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { WatchOptions } from "../../../harness/faults/proxy/fault-proxy.ts";
import { type Field, isPending, startField, until } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await startField({ nodes: 1 });
});
afterAll(() => field.close());
const inForce = new Set<string>();
async function inject(name: string, parameters: Record<string, string | number>, targets: string[] = [], id = "f1") {
  inForce.add(id);
  return field.proxy.setFault(id, { name, targets, parameters });
}
async function watch(id: string, options: WatchOptions) {
  inForce.add(id);
  return field.proxy.watchCommand(id, options);
}
async function heal(id = "f1") {
  inForce.delete(id);
  return field.proxy.clearFault(id);
}
afterEach(async () => {
  for (const id of inForce) await heal(id);
  await field.direct().flushall();
});

const extend =
  "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end";
const release = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

describe("delay-reply", () => {
  it("delays the replies of some commands, and those behind them, not those before", async () => {
    const client = field.client("client:1");
    await client.ping();
    await inject("delay-reply", { command: "SET NX", key: "lock:*", base: 60_000 });
    const before = [client.get("lock:a"), client.set("other", "1", "NX"), client.set("lock:a", "1")];
    const acquire = client.set("lock:b", "1", "PX", 10_000, "NX");
    const behind = client.get("lock:a");
    expect(await Promise.all(before)).toEqual([null, "OK", "OK"]);
    expect(await isPending(acquire)).toBe(true);
    expect(await isPending(behind)).toBe(true);
    await heal();
    expect(await Promise.all([acquire, behind])).toEqual(["OK", "1"]);
    await inject("delay-reply", { command: "SET NX", key: "lock:*", base: 300 });
    const start = performance.now();
    await client.set("lock:c", "1", "PX", 10_000, "NX");
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
  });
});

describe("pause-between", () => {
  it("holds the reply back after the command was applied, until it is healed", async () => {
    const client = field.client("client:1");
    await inject("pause-between", { command: "SET" });
    const reply = client.set("a", "1");
    await until(async () => (await field.direct().get("a")) === "1");
    expect(await isPending(reply)).toBe(true);
    await heal();
    expect(await reply).toBe("OK");
  });
});

describe("lose-reply", () => {
  it("loses the nth matching reply and all behind it; requests still arrive; the connection is reset at the end", async () => {
    const [raw, spared] = [await field.raw("client:1"), await field.raw("client:1")];
    await inject("lose-reply", { command: "INCR", key: "n", nth: 2 });
    raw.send("INCR n\r\nINCR other\r\nINCR n\r\nINCR n\r\nPING\r\n");
    await until(async () => (await field.direct().get("n")) === "3");
    expect(raw.text).toBe(":1\r\n:1\r\n");
    spared.send("INCR n\r\n");
    await spared.until((text) => text === ":4\r\n");
    expect(raw.ending).toBeUndefined();
    await heal();
    expect(await raw.ended()).toBe("ECONNRESET");
    expect(raw.text).toBe(":1\r\n:1\r\n");
    spared.send("PING\r\n");
    await spared.until((text) => text === ":4\r\n+PONG\r\n");
  });
});

describe("lose-request", () => {
  it("loses the request and all behind it, and not the replies to those before", async () => {
    const raw = await field.raw("client:1");
    await inject("lose-request", { command: "INCR" });
    raw.send("SET a 1\r\nGET a\r\nINCR n\r\nSET b 1\r\n");
    await raw.until((text) => text === "+OK\r\n$1\r\n1\r\n");
    expect(await field.direct().mget("n", "b")).toEqual([null, null]);
    await heal();
    expect(await raw.ended()).toBe("ECONNRESET");
    expect(await field.direct().mget("a", "n", "b")).toEqual(["1", null, null]);
  });

  it("with a probability", async () => {
    await inject("lose-request", { command: "INCR", probability: 0.5 });
    const clients = Array.from({ length: 40 }, () => field.client("client:1"));
    let answered = 0;
    const replies = clients.map((client) =>
      client.incr("n").then(
        () => answered++,
        () => {},
      ),
    );
    const lost = async () => (await field.proxy.stats()).faults[0]?.commands ?? 0;
    await until(async () => answered + (await lost()) === 40);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(40);
    expect(Number(await field.direct().get("n"))).toBe(answered);
    await heal();
    await Promise.all(replies);
  });
});

describe("reset-after-apply", () => {
  it("resets the connection once the command has been applied", async () => {
    const raw = await field.raw("client:1");
    await inject("reset-after-apply", { command: "SET", key: "lock:?", nth: 1 });
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
    raw.send("SET lock:a token NX PX 10000\r\n");
    expect(await raw.ended()).toBe("ECONNRESET");
    expect(raw.text).toBe("+PONG\r\n");
    expect(await field.direct().get("lock:a")).toBe("token");
  });

  it("makes a client that sends again be refused by its own token", async () => {
    const client = field.client("client:1", { maxRetriesPerRequest: null, retryStrategy: () => 10 });
    await client.ping();
    await inject("reset-after-apply", { command: "SET", nth: 1 });
    expect(await client.set("lock:a", "token", "PX", 10_000, "NX")).toBeNull();
    expect(await field.direct().get("lock:a")).toBe("token");
  });
});

describe("error-reply", () => {
  it("answers in place of the node, in the order of the pipeline", async () => {
    const client = field.client("client:1");
    await inject("error-reply", { command: "SET|DEL", key: "b", error: "OOM" });
    const results = await client.pipeline().set("a", "1").set("b", "1").get("b").del("b").get("a").exec();
    expect(results?.map(([error, value]) => error?.message ?? value)).toEqual([
      "OK",
      "OOM command not allowed when used memory > 'maxmemory'.",
      null,
      "OOM command not allowed when used memory > 'maxmemory'.",
      "1",
    ]);
    expect(await field.direct().get("b")).toBeNull();
  });

  it("waits for its turn behind a reply that is late", async () => {
    const raw = await field.raw("client:1");
    await inject("error-reply", { command: "GET", error: "TRYAGAIN later" });
    raw.send("BLPOP list 0\r\nGET a\r\nPING\r\n");
    await until(async () => /cmd=blpop/.test((await field.direct().client("LIST")) as string));
    expect(raw.text).toBe("");
    await field.direct().rpush("list", "x");
    await raw.until((text) => text.endsWith("+PONG\r\n"));
    expect(raw.text).toBe("*2\r\n$4\r\nlist\r\n$1\r\nx\r\n-TRYAGAIN later\r\n+PONG\r\n");
  });

  it("aborts the transaction that the command stands in", async () => {
    const client = field.client("client:1");
    await inject("error-reply", { command: "SET", key: "b", error: "READONLY" });
    await expect(client.multi().set("a", "1").set("b", "1").exec()).rejects.toThrow(/EXECABORT/);
    expect(await field.direct().get("a")).toBeNull();
    expect(await client.multi().set("a", "1").get("a").exec()).toEqual([
      [null, "OK"],
      [null, "1"],
    ]);
  });

  it("drops the transaction whose EXEC it answers", async () => {
    const client = field.client("client:1");
    await inject("error-reply", { command: "EXEC", error: "READONLY" });
    await expect(client.multi().set("a", "1").exec()).rejects.toThrow(/READONLY/);
    expect(await client.get("a")).toBeNull();
  });

  it("is silent where CLIENT REPLY is off", async () => {
    const raw = await field.raw("client:1");
    await inject("error-reply", { command: "SET" });
    raw.send("CLIENT REPLY OFF\r\nSET a 1\r\nINCR n\r\nCLIENT REPLY ON\r\nSET a 1\r\nPING\r\n");
    await raw.until((text) => text.endsWith("+PONG\r\n"));
    expect(raw.text).toBe("+OK\r\n-READONLY You can't write against a read only replica.\r\n+PONG\r\n");
    expect(await field.direct().mget("a", "n")).toEqual([null, "1"]);
  });
});

describe("duplicate", () => {
  it("sends a command twice and eats the second reply", async () => {
    const client = field.client("client:1");
    await inject("duplicate", { command: "INCR" });
    const results = await client.pipeline().incr("n").echo("x").incr("n").get("n").exec();
    expect(results?.map(([, value]) => value)).toEqual([1, "x", 3, "4"]);
  });

  it("still eats the second reply when it is healed meanwhile, and leaves transactions and connection state alone", async () => {
    const client = field.client("client:1");
    await inject("duplicate", {});
    const transaction = await client.multi().incr("m").incr("m").exec();
    expect(transaction).toEqual([
      [null, 1],
      [null, 2],
    ]);
    const raw = await field.raw("client:1");
    raw.send("BLPOP list 0\r\nPING\r\n");
    await until(async () => /cmd=blpop/.test((await field.direct().client("LIST")) as string));
    await heal();
    await field.direct().rpush("list", "x", "y");
    await raw.until((text) => text.endsWith("+PONG\r\n"));
    expect(raw.text).toBe("*2\r\n$4\r\nlist\r\n$1\r\nx\r\n+PONG\r\n");
    expect(await field.direct().llen("list")).toBe(0);
  });
});

describe("scripts", () => {
  it("tells a renewal from a release by the script's text, by EVAL and by EVALSHA", async () => {
    const client = field.client("client:1");
    client.defineCommand("extendLock", { numberOfKeys: 1, lua: extend });
    client.defineCommand("releaseLock", { numberOfKeys: 1, lua: release });
    const commands = client as unknown as Record<"extendLock" | "releaseLock", (...words: string[]) => Promise<number>>;
    await client.set("lock:a", "t");
    expect(await commands.extendLock("lock:a", "t", "5000")).toBe(1);
    await inject("error-reply", { command: "EVAL", script: "PEXPIRE", key: "lock:*", error: "READONLY" });
    await expect(commands.extendLock("lock:a", "t", "5000")).rejects.toThrow(/READONLY/);
    await expect(client.eval(extend, 1, "lock:a", "t", "5000")).rejects.toThrow(/READONLY/);
    expect(await client.eval(extend, 1, "other", "t", "5000")).toBe(0);
    expect(await commands.releaseLock("lock:a", "t")).toBe(1);
  });
});

describe("in a transaction", () => {
  it("what is wanted of a command's reply is done to the reply of its EXEC", async () => {
    const raw = await field.raw("client:1");
    await inject("reset-after-apply", { command: "SET", key: "a" });
    raw.send("MULTI\r\nSET a 1\r\n");
    await raw.until((text) => text === "+OK\r\n+QUEUED\r\n");
    raw.send("EXEC\r\n");
    expect(await raw.ended()).toBe("ECONNRESET");
    expect(await field.direct().get("a")).toBe("1");
  });
});

describe("watchCommand", () => {
  it("reports the nth command as it passes, and holds its reply until released", async () => {
    const client = field.client("client:1");
    await client.ping();
    const seen: unknown[] = [];
    field.proxy.on("command", (event) => seen.push(event));
    const { atNs } = await watch("w1", { command: "SET NX", key: "lock:*", nth: 2, targets: ["client:1"], hold: true });
    expect(await client.set("lock:a", "1", "NX")).toBe("OK");
    const reply = client.set("lock:b", "1", "NX");
    await until(async () => (await field.direct().get("lock:b")) === "1");
    expect(await isPending(reply)).toBe(true);
    expect(seen).toEqual([
      {
        kind: "command",
        id: "w1",
        atNs: expect.any(BigInt),
        source: "client:1",
        node: "node:1",
        connection: expect.any(Number),
        name: "SET",
        keys: ["lock:b"],
      },
    ]);
    const [event] = seen as [{ atNs: bigint }];
    expect(event.atNs).toBeGreaterThan(atNs);
    await field.proxy.release("w1");
    expect(await reply).toBe("OK");
    expect(await client.set("lock:c", "1", "NX")).toBe("OK");
  });

  it("does not report a command that did not get through", async () => {
    const client = field.client("client:1");
    await client.ping();
    const seen: unknown[] = [];
    field.proxy.on("command", (event) => seen.push(event));
    await watch("w2", { command: "SET" });
    await inject("partition", {}, ["client:1"]);
    const reply = client.set("a", "1");
    expect(await isPending(reply)).toBe(true);
    expect(seen).toEqual([]);
    await heal();
    await reply;
    expect(seen).toHaveLength(1);
  });
});

describe("bad requests", () => {
  it("refuses what is not there, and goes on", async () => {
    await expect(field.proxy.clearFault("nothing")).rejects.toThrow(/No fault nothing/);
    await expect(field.proxy.setFault("f", { name: "latencyy", targets: [], parameters: {} })).rejects.toThrow(
      /latencyy/,
    );
    await expect(field.proxy.addNode({ name: "node:1", upstream: { host: "127.0.0.1", port: 1 } })).rejects.toThrow(
      /node:1 already/,
    );
    expect(await field.client("client:1").ping()).toBe("PONG");
  });

  it("reports a command once it is applied, and holds the client's replies to such commands from then on", async () => {
    const [client, other] = [field.client("client:1"), field.client("client:2")];
    await Promise.all([client.ping(), other.ping()]);
    let applied = 0;
    const end = await field.proxy.onCommand(
      "w3",
      { command: "SET NX", key: "lock:*", nth: 2, targets: [], holds: true },
      () => applied++,
    );
    expect(await client.set("lock:a", "1", "NX")).toBe("OK");
    const held = [client.set("lock:b", "1", "NX"), client.set("lock:c", "1", "NX")];
    await until(() => applied > 0);
    expect(await field.direct().get("lock:b")).toBe("1");
    await until(async () => (await field.direct().get("lock:c")) === "1");
    expect(await isPending(Promise.race(held))).toBe(true);
    expect(await other.set("lock:d", "1", "NX")).toBe("OK");
    const later = field.client("client:1");
    expect(await later.set("lock:e", "1", "NX")).toBe("OK");
    await end();
    expect(await Promise.all(held)).toEqual(["OK", "OK"]);
    expect(applied).toBe(1);
  });

  it("tells the renewal of a lock from its acquire and its release", async () => {
    const client = field.client("client:1");
    const token = "0c1b4c1e-2f56";
    let renewals = 0;
    const end = await field.proxy.onCommand("w4", { extension: true, nth: 1, targets: [], holds: false }, () => {
      renewals++;
    });
    await client.set("lock:a", token, "PX", 10_000, "NX");
    await client.eval(release, 1, "lock:a", token);
    await client.set("lock:a", token, "PX", 10_000, "NX");
    expect(renewals).toBe(0);
    await client.eval(extend, 1, "lock:a", token, 10_000);
    await until(() => renewals === 1);
    await end();
  });
});

describe("delay-request", () => {
  it("holds a command on its way, and those behind it, until its time or the end of the fault", async () => {
    const [client, other] = [field.client("client:1"), field.client("client:2")];
    await client.set("lock:a", "mine");
    await inject("delay-request", { command: "DEL", key: "lock:*" });
    const [deleted, behind] = [client.del("lock:a"), client.get("lock:a")];
    expect(await isPending(deleted)).toBe(true);
    expect(await other.get("lock:a")).toBe("mine");
    await other.set("lock:a", "another's");
    await heal();
    expect(await deleted).toBe(1);
    expect(await behind).toBeNull();
    await inject("delay-request", { command: "DEL", delay: 200 });
    const start = performance.now();
    await client.del("lock:b");
    expect(performance.now() - start).toBeGreaterThanOrEqual(200);
    await heal();
  });
});
