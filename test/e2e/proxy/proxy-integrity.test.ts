import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RandomStream, randomStream } from "../../../harness/random-stream.ts";
import { type Field, startField } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await startField({ nodes: 1, seed: 3 });
});
afterAll(() => field.close());

const clients = 6;
const seconds = 8;

type Draw = (random: RandomStream) => { name: string; parameters: Record<string, number | string> };
const someCommand = (random: RandomStream): Record<string, number | string> => ({
  command: random.pick(["ECHO", "GET|SET", "EVAL", "*", "EXEC", "INCR"]),
  probability: random.pick([0.02, 0.1, 0.5]),
  ...(random.float() < 0.3 ? { nth: random.whole(1, 5) } : {}),
  ...(random.float() < 0.2 ? { key: "k:?:*" } : {}),
});
const way = (random: RandomStream) => random.pick(["requests", "replies", "both"]);
const draws: readonly Draw[] = [
  (random) => ({
    name: "latency",
    parameters: { base: random.float() * 5, p99: 20, direction: way(random), toxicity: 0.7 },
  }),
  (random) => ({ name: "bandwidth", parameters: { rate: random.whole(5_000, 100_000), direction: way(random) } }),
  (random) => ({
    name: "slicer",
    parameters: { size: random.whole(1, 30), variation: 3, delay: 0.05, direction: way(random) },
  }),
  (random) => ({ name: "partition", parameters: { direction: way(random), mode: random.pick(["hold", "lose"]) } }),
  (random) => ({ name: "black-hole", parameters: { direction: way(random) } }),
  (random) => ({
    name: "reset",
    parameters: random.pick([{ after: random.whole(1, 30) }, { bytes: random.whole(1, 500) }]),
  }),
  (random) => ({
    name: "limit-data",
    parameters: { bytes: random.whole(0, 800), direction: random.pick(["requests", "replies"]) },
  }),
  () => ({ name: "refuse", parameters: {} }),
  () => ({ name: "slow-close", parameters: { delay: 20 } }),
  (random) => ({ name: "reset-after-apply", parameters: someCommand(random) }),
  (random) => ({ name: "delay-reply", parameters: { ...someCommand(random), base: 1, p99: 20 } }),
  (random) => ({ name: "pause-between", parameters: { ...someCommand(random), pause: 10 } }),
  (random) => ({ name: "lose-reply", parameters: someCommand(random) }),
  (random) => ({ name: "lose-request", parameters: someCommand(random) }),
  (random) => ({ name: "error-reply", parameters: { ...someCommand(random), error: "INJECTED error" } }),
  (random) => ({ name: "duplicate", parameters: someCommand(random) }),
];

/** Sets and clears faults at random until told to stop; heals all. Returns how often each was set. */
async function trouble(random: RandomStream, isOver: () => boolean): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const inForce: string[] = [];
  for (let number = 0; !isOver(); number++) {
    if (inForce.length > 2 || (inForce.length > 0 && random.float() < 0.5)) {
      const [id] = inForce.splice(random.whole(0, inForce.length - 1), 1);
      await field.proxy.clearFault(id as string);
    } else {
      const { name, parameters } = (draws[number % draws.length] as Draw)(random);
      const targets = random.pick([
        [],
        [`client:${random.whole(1, clients)}`],
        [`client:${random.whole(1, clients)}-node:1`],
        ["node:1"],
      ]);
      await field.proxy.setFault(`f${number}`, { name, targets, parameters });
      inForce.push(`f${number}`);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    await new Promise((resolve) => setTimeout(resolve, random.whole(5, 60)));
  }
  for (const id of inForce) await field.proxy.clearFault(id);
  return counts;
}

interface Tally {
  replies: number;
  errors: Map<string, number>;
}

/** Numbered commands whose replies can be told from all others; throws at a reply that belongs to another command. */
async function work(
  client: Redis,
  name: string,
  random: RandomStream,
  isOver: () => boolean,
  tally: Tally,
): Promise<void> {
  const check = async (what: string, reply: Promise<unknown>, ...expected: unknown[]) => {
    const outcome = await reply.then(
      (value) => ({ value }),
      (error: Error) => ({ error }),
    );
    if ("error" in outcome) {
      const kind = outcome.error.message.replaceAll(/\d+/g, "N");
      tally.errors.set(kind, (tally.errors.get(kind) ?? 0) + 1);
      return;
    }
    expect({ what, value: outcome.value }).toEqual({ what, value: expected.find((each) => each === outcome.value) });
    tally.replies++;
  };
  for (let number = 0; !isOver(); number++) {
    const tag = `${name}:${number}`;
    const batch = Array.from({ length: random.whole(1, 6) }, (_, index): Promise<void> => {
      const own = `${tag}:${index}`;
      switch (random.whole(0, 4)) {
        case 0:
          return check("echo", client.echo(own), own);
        case 1:
          return check("set", client.set(`k:${own}`, own), "OK").then(() =>
            check("get", client.get(`k:${own}`), own, null),
          );
        case 2:
          return check("eval", client.eval("return ARGV[1]", 1, `k:${own}`, own), own);
        case 3:
          return check(
            "exec",
            client
              .multi()
              .echo(own)
              .echo(`${own}b`)
              .exec()
              .then((results) => JSON.stringify(results)),
            JSON.stringify([
              [null, own],
              [null, `${own}b`],
            ]),
          );
        default:
          return check("long", client.echo(own.padEnd(3_000, ".")), own.padEnd(3_000, "."));
      }
    });
    await Promise.all(batch);
  }
}

describe("stream integrity", () => {
  it("no client ever sees another command's reply, whatever is injected and healed", async () => {
    const tally: Tally = { replies: 0, errors: new Map() };
    const end = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() > end;
    const workers = Array.from({ length: clients }, (_, index) => {
      const client = field.client(`client:${index + 1}`, {
        maxRetriesPerRequest: index % 2 === 0 ? null : 1,
        retryStrategy: () => 5,
        commandTimeout: 150,
        enableAutoPipelining: index === 0,
        ...(index === 1 ? { protocol: 3 as never } : {}),
      });
      return work(client, `c${index + 1}`, randomStream(3, "client", index), isOver, tally).then(() => client);
    });
    const counts = await trouble(randomStream(3, "trouble"), isOver);
    const survivors = await Promise.all(workers);
    expect([...counts.keys()].toSorted()).toEqual(
      [...new Set(draws.map((draw) => draw(randomStream(0)).name))].toSorted(),
    );
    expect(tally.replies).toBeGreaterThan(500);
    for (const kind of tally.errors.keys()) {
      expect(kind).toMatch(
        /Command timed out|connection close|Connection is closed|EXEC without MULTI|ECONNRESET|EPIPE|MaxRetries|max retries|INJECTED|EXECABORT|Stream isn't writeable/,
      );
    }
    for (const client of survivors) expect(await client.echo("well")).toBe("well");
  });
});
