import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { connectWitness, type WitnessClient } from "../../../../../harness/lock/witness/client.ts";
import { readWitness, type WitnessReader } from "../../../../../harness/lock/witness/reader.ts";
import { startTestRedis, type TestRedis } from "../../../../fixtures/workloads/redis-server.ts";

let redis: TestRedis;
let reader: WitnessReader;
const open: { close(): void }[] = [];

beforeAll(async () => {
  redis = await startTestRedis();
  reader = readWitness({ host: "127.0.0.1", port: redis.port });
});
beforeEach(() => reader.empty());
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
afterAll(async () => {
  reader.close();
  await redis.stop();
});

function witness({ enforceFencing = true } = {}): WitnessClient {
  const client = connectWitness({ host: "127.0.0.1", port: redis.port, db: 0 }, { enforceFencing });
  open.push(client);
  return client;
}

const execution = (client: WitnessClient, name: string, fencingToken?: number) =>
  client.forExecution({
    ...{ job: name, key: "k", execution: `${name}/1@1.1` },
    ...(fencingToken === undefined ? {} : { fencingToken }),
  });

test("an effect counts once per execution, however often it is sent", async () => {
  const client = witness();
  const first = execution(client, "j1");
  expect(await first.record("e")).toEqual({ first: true, accepted: true });
  expect(await first.record("e")).toEqual({ first: false, accepted: true });
  expect(await execution(client, "j2").record("e")).toEqual({ first: true, accepted: true });
  expect(await reader.entries()).toEqual([
    { execution: "j1/1@1.1", effect: "e", job: "j1", key: "k", outcome: "accepted" },
    { execution: "j2/1@1.1", effect: "e", job: "j2", key: "k", outcome: "accepted" },
  ]);
});

test("writes count the versions of a document, and say which one their author had read", async () => {
  const client = witness();
  const [a, b, c] = [execution(client, "a"), execution(client, "b"), execution(client, "c")];
  expect(await a.read("d")).toEqual({ value: 0, version: 0 });
  expect(await b.read("d")).toEqual({ value: 0, version: 0 });
  await a.write("d", 1);
  await b.write("d", 1);
  await c.write("d", 7);
  expect(await c.read("d")).toEqual({ value: 7, version: 3 });
  const entries = await reader.entries();
  expect(
    entries.map(({ job, document, value, version, readVersion }) => ({ job, document, value, version, readVersion })),
  ).toEqual([
    { job: "a", document: "d", value: 1, version: 1, readVersion: 0 },
    { job: "b", document: "d", value: 1, version: 2, readVersion: 0 },
    { job: "c", document: "d", value: 7, version: 3, readVersion: undefined },
  ]);
});

test("a lower fencing token than the highest is refused, an equal one accepted; sent again, the answer is the same", async () => {
  const client = witness();
  expect(await execution(client, "a", 5).writeFenced("d", 10, 5)).toEqual({ first: true, accepted: true });
  const old = execution(client, "b", 4);
  expect(await old.writeFenced("d", 11, 4)).toEqual({ first: true, accepted: false });
  expect(await old.writeFenced("d", 11, 4)).toEqual({ first: false, accepted: false });
  expect(await execution(client, "c", 5).writeFenced("d", 12, 5)).toEqual({ first: true, accepted: true });
  expect(await old.read("d")).toEqual({ value: 12, version: 2 });
  const entries = await reader.entries();
  expect(entries.map(({ outcome, fencingToken, version }) => ({ outcome, fencingToken, version }))).toEqual([
    { outcome: "accepted", fencingToken: 5, version: 1 },
    { outcome: "fenced", fencingToken: 4, version: undefined },
    { outcome: "accepted", fencingToken: 5, version: 2 },
  ]);
});

test("with enforcement off an old token writes, and the log says that it would have been refused", async () => {
  const client = witness({ enforceFencing: false });
  await execution(client, "a", 5).writeFenced("d", 10, 5);
  const old = execution(client, "b", 4);
  expect(await old.writeFenced("d", 11, 4)).toEqual({ first: true, accepted: true });
  expect(await old.read("d")).toEqual({ value: 11, version: 2 });
  expect((await reader.entries()).map(({ outcome }) => outcome)).toEqual(["accepted", "would-refuse"]);
});
