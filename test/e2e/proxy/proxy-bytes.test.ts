import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sourceAddress } from "../../../harness/faults/proxy/sources.ts";
import { type Field, isPending, startField, until } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await startField({ nodes: 2 });
});
afterAll(() => field.close());
const set = new Set<string>();
async function inject(name: string, targets: string[], parameters: Record<string, string | number>, id = "f1") {
  set.add(id);
  return field.proxy.setFault(id, { name, targets, parameters });
}
async function heal(id = "f1") {
  set.delete(id);
  return field.proxy.clearFault(id);
}
afterEach(async () => {
  for (const id of set) await heal(id);
});

/** The clock is read before anything is sent: read after it, the time could be shorter than the delay. */
async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

describe("without a fault", () => {
  it("counts what passes", async () => {
    const before = await field.proxy.stats();
    const raw = await field.raw("client:1");
    raw.send("PING\r\nPING\r\n");
    await raw.until((text) => text === "+PONG\r\n+PONG\r\n");
    const after = await field.proxy.stats();
    expect(after.requests - before.requests).toBe(2);
    expect(after.replies - before.replies).toBe(2);
    expect(after.requestBytes - before.requestBytes).toBe(12);
    expect(after.replyBytes - before.replyBytes).toBe(14);
  });

  it("passes RESP2, RESP3, inline commands, pipelines, transactions, pub/sub and MONITOR unchanged", async () => {
    const raw = await field.raw("client:1");
    raw.send("PING\r\n*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\nMULTI\r\nINCR n\r\nEXEC\r\nHELLO 3\r\n");
    await raw.until((text) => text.includes("proto"));
    expect(raw.text).toMatch(/^\+PONG\r\n\$2\r\nhi\r\n\+OK\r\n\+QUEUED\r\n\*1\r\n:1\r\n%7\r\n/);
    raw.send("SUBSCRIBE c\r\n");
    await raw.until((text) => text.includes(">3\r\n$9\r\nsubscribe"));
    await field.client("client:2").publish("c", "m");
    await raw.until((text) => text.includes(">3\r\n$7\r\nmessage"));
    const monitor = await field.raw("client:1");
    monitor.send("MONITOR\r\n");
    await monitor.until((text) => text.startsWith("+OK"));
    await field.client("client:2").get("seen");
    await monitor.until((text) => text.includes('"get" "seen"'));
  });

  it("passes large values in both directions", async () => {
    const client = field.client("client:1");
    const value = Buffer.alloc(20_000_000, "v");
    await client.set("large", value);
    expect((await client.getBuffer("large"))?.equals(value)).toBe(true);
    await client.del("large");
  });

  it("passes on that either side has closed, or the node is not there", async () => {
    const raw = await field.raw("client:1");
    raw.send("QUIT\r\n");
    expect(await raw.ended()).toBe("end");
    expect(raw.text).toBe("+OK\r\n");
    const half = await field.raw("client:1");
    half.socket.end("PING\r\n");
    expect(await half.ended()).toBe("end");
    expect(half.text).toBe("+PONG\r\n");
    await field.proxy.addNode({ name: "nobody", upstream: { host: "127.0.0.1", port: 1 } }).then(async ({ port }) => {
      const socket = connect({ port, host: "127.0.0.1" });
      const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
      expect(error.code).toBe("ECONNRESET");
      await field.proxy.removeNode("nobody");
    });
  });
});

describe("latency", () => {
  it("delays replies of the targets only, and stops at once when healed", async () => {
    const [late, quick] = [field.client("client:1"), field.client("client:2")];
    await Promise.all([late.ping(), quick.ping()]);
    const { atNs } = await inject("latency", ["client:1"], { base: 400 });
    const order: string[] = [];
    const lateReply = timed(() => late.ping()).then((result) => {
      order.push("late");
      return result;
    });
    await quick.ping();
    order.push("quick");
    expect((await lateReply).ms).toBeGreaterThanOrEqual(400);
    expect(order).toEqual(["quick", "late"]);
    await inject("latency", ["client:1"], { base: 60_000 });
    const held = late.ping();
    expect(await isPending(held)).toBe(true);
    const healed = await heal();
    expect(await held).toBe("PONG");
    expect(healed.atNs).toBeGreaterThan(atNs);
  });

  it("delays requests before they are applied", async () => {
    const client = field.client("client:1");
    await client.del("a");
    await inject("latency", ["client:1-node:1"], { base: 60_000, direction: "requests" });
    const reply = client.set("a", "1");
    expect(await isPending(reply)).toBe(true);
    expect(await field.direct().get("a")).toBeNull();
    await heal();
    await reply;
    expect(await field.direct().get("a")).toBe("1");
  });

  it("keeps order with random delays", async () => {
    const client = field.client("client:1");
    await client.ping();
    await field.proxy.stats({ reset: true });
    await inject("jitter", [], { base: 0.2, p99: 20 });
    const sent = Array.from({ length: 300 }, (_, index) => String(index));
    const received = await Promise.all(
      sent.map(async (text) => {
        await new Promise((resolve) => setTimeout(resolve, Number(text)));
        return client.echo(text);
      }),
    );
    expect(received).toEqual(sent);
    const { delayErrors } = await field.proxy.stats();
    expect(delayErrors.count).toBeGreaterThan(100);
  });

  it("with toxicity 0 is no fault", async () => {
    await field.proxy.stats({ reset: true });
    await inject("latency", [], { base: 60_000, toxicity: 0 });
    expect(await field.client("client:1").ping()).toBe("PONG");
    const stats = await field.proxy.stats();
    expect(stats.faults).toEqual([{ id: "f1", connections: 0, commands: 0 }]);
    expect(stats.delayErrors.count).toBe(0);
  });

  it("spares the same connections for the same seed", async () => {
    const spared = async () => {
      const own = await startField({ seed: 42 });
      try {
        await own.proxy.setFault("f", { name: "latency", targets: [], parameters: { base: 60_000, toxicity: 0.5 } });
        const clients = Array.from({ length: 12 }, () => own.client("client:1"));
        let answered = 0;
        for (const client of clients) {
          client.ping().then(
            () => answered++,
            () => {},
          );
        }
        await until(async () => answered + ((await own.proxy.stats()).faults[0]?.connections ?? 0) === 12);
        return answered;
      } finally {
        await own.close();
      }
    };
    const first = await spared();
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(12);
    expect(await spared()).toBe(first);
  });
});

describe("bandwidth", () => {
  it("takes the time that the rate allows", async () => {
    const client = field.client("client:1");
    await client.set("large", Buffer.alloc(100_000));
    await inject("bandwidth", ["client:1"], { rate: 200_000 });
    const { value, ms } = await timed(() => client.getBuffer("large"));
    expect(value?.length).toBe(100_000);
    expect(ms).toBeGreaterThanOrEqual(500);
  });
});

describe("slicer", () => {
  it("cuts the stream into small pieces", async () => {
    const raw = await field.raw("client:1");
    await inject("slicer", ["client:1"], { size: 10, variation: 4, delay: 40 });
    raw.send(`*2\r\n$4\r\nECHO\r\n$100\r\n${"e".repeat(100)}\r\n`);
    await raw.until((text) => text.length === 108);
    expect(raw.pieces.length).toBeGreaterThan(4);
    expect(raw.text).toBe(`$100\r\n${"e".repeat(100)}\r\n`);
  });
});

describe("partition", () => {
  it("lets different clients see different nodes, and all go on where they were", async () => {
    const [a1, a2] = [field.client("client:1", { node: 1 }), field.client("client:1", { node: 2 })];
    const [b1, b2] = [field.client("client:2", { node: 1 }), field.client("client:2", { node: 2 })];
    await Promise.all([a1, a2, b1, b2].map((client) => client.ping()));
    await inject("partition", [], { a: "client:1+client:9", b: "node:1" }, "f1");
    await inject("partition", ["client:2-node:2"], {}, "f2");
    const cut = [a1.set("k1", "a"), b2.set("k2", "b")];
    expect(await a2.ping()).toBe("PONG");
    expect(await b1.ping()).toBe("PONG");
    for (const reply of cut) expect(await isPending(reply)).toBe(true);
    expect(await field.direct(1).get("k1")).toBeNull();
    await heal("f1");
    expect(await cut[0]).toBe("OK");
    expect(await isPending(cut[1] as Promise<unknown>)).toBe(true);
    await heal("f2");
    expect(await cut[1]).toBe("OK");
  });

  it("works one way: requests are applied, their replies wait", async () => {
    const client = field.client("client:1");
    await client.ping();
    await inject("partition", [], { a: "client:1", b: "node:1", way: "b-to-a" });
    const reply = client.set("one-way", "1");
    await until(async () => (await field.direct().get("one-way")) === "1");
    expect(await isPending(reply)).toBe(true);
    await heal();
    expect(await reply).toBe("OK");
  });

  it("holds the bytes of a client that has closed meanwhile: they arrive late", async () => {
    const raw = await field.raw("client:1");
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
    await inject("partition", ["client:1-node:1"], {});
    raw.send("SET late 1\r\n");
    raw.socket.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await field.direct().get("late")).toBeNull();
    await heal();
    await until(async () => (await field.direct().get("late")) === "1");
  });

  it("holds connections that are made meanwhile", async () => {
    await inject("partition", ["client:1"], {});
    const client = field.client("client:1");
    const reply = client.ping();
    expect(await isPending(reply)).toBe(true);
    await heal();
    expect(await reply).toBe("PONG");
  });
});

describe("black-hole", () => {
  it("swallows every byte; who lost some is reset at the end, who did not lives on", async () => {
    const [talking, idle] = [await field.raw("client:1"), await field.raw("client:1")];
    for (const raw of [talking, idle]) {
      raw.send("PING\r\n");
      await raw.until((text) => text === "+PONG\r\n");
    }
    await inject("black-hole", ["node:1"], {});
    talking.send("SET swallowed 1\r\n");
    const late = await field.raw("client:2");
    late.send("PING\r\n");
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(talking.ending).toBeUndefined();
    await heal();
    expect(await talking.ended()).toBe("ECONNRESET");
    expect(await late.ended()).toBe("ECONNRESET");
    expect(talking.text).toBe("+PONG\r\n");
    idle.send("GET swallowed\r\n");
    await idle.until((text) => text === "+PONG\r\n$-1\r\n");
  });
});

describe("reset", () => {
  it("resets existing and new connections at once", async () => {
    const raw = await field.raw("client:1");
    const other = await field.raw("client:2");
    await inject("reset", ["client:1"], {});
    expect(await raw.ended()).toBe("ECONNRESET");
    const fresh = connect({
      port: field.proxiedPorts[0] as number,
      host: "127.0.0.1",
      localAddress: sourceAddress("client:1"),
    });
    const [error] = (await once(fresh, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET");
    await heal();
    other.send("PING\r\n");
    await other.until((text) => text === "+PONG\r\n");
  });

  it("resets after so many bytes of replies", async () => {
    const raw = await field.raw("client:1");
    await inject("reset", ["client:1"], { bytes: 10 });
    raw.send("PING\r\nPING\r\nPING\r\n");
    // Node reports a reset that comes right behind data as an end.
    expect(["ECONNRESET", "end"]).toContain(await raw.ended());
    expect("+PONG\r\n+PO").toContain(raw.text);
  });

  it("resets after a time, and not if healed before", async () => {
    const raw = await field.raw("client:1");
    await inject("reset", ["client:1"], { after: 60_000 });
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
    await heal();
    await inject("reset", ["client:1"], { after: 20 });
    expect(await raw.ended()).toBe("ECONNRESET");
  });
});

describe("refuse", () => {
  it("refuses connections to the node and closes those that are there", async () => {
    const raw = await field.raw("client:1");
    // The proxy has it for sure: one that still waits to be accepted would be refused.
    raw.send("PING\r\n");
    await raw.until((text) => text === "+PONG\r\n");
    await inject("refuse", ["node:1"], {});
    expect(await raw.ended()).toBe("end");
    const socket = connect({ port: field.proxiedPorts[0] as number, host: "127.0.0.1" });
    const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
    expect(await field.client("client:1", { node: 2 }).ping()).toBe("PONG");
    await heal();
    expect(await field.client("client:1").ping()).toBe("PONG");
  });

  it("turns away one client and serves the others", async () => {
    await inject("refuse", ["client:1-node:1"], {});
    const turned = connect({
      port: field.proxiedPorts[0] as number,
      host: "127.0.0.1",
      localAddress: sourceAddress("client:1"),
    });
    const [error] = (await once(turned, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET");
    expect(await field.client("client:2").ping()).toBe("PONG");
  });
});

describe("slow-close", () => {
  it("lets the end arrive late", async () => {
    const raw = await field.raw("client:1");
    await inject("slow-close", ["client:1"], { delay: 300, direction: "replies" });
    const start = performance.now();
    raw.send("QUIT\r\n");
    await raw.until((text) => text === "+OK\r\n");
    expect(raw.ending).toBeUndefined();
    await raw.ended();
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
  });
});

describe("limit-data", () => {
  it("closes after exactly so many bytes, be it inside a reply", async () => {
    const raw = await field.raw("client:1");
    await inject("limit-data", ["client:1"], { bytes: 10 });
    raw.send("PING\r\nPING\r\nPING\r\n");
    expect(await raw.ended()).toBe("end");
    expect(raw.text).toBe("+PONG\r\n+PO");
  });
});
