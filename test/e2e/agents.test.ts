import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { findRedis } from "../../harness/redis/find.ts";
import { type RedisServer, startRedisServer } from "../../harness/redis/server.ts";
import { type ConvergeResult, convergeResultSchema } from "../../harness/results/converge-schema.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";
import { bin, folderForTest, startHarness, until } from "./run-harness.ts";

let supervisor: Supervisor;
let server: RedisServer;
let redis: string;

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  const folder = makeOwnedFolder(supervisor);
  server = await startRedisServer({ redis: await findRedis(), supervisor, folder, name: "agents" });
  redis = `redis://127.0.0.1:${server.port}`;
});
afterAll(() => supervisor.close());
beforeEach(() => server.flush());

/**
 * A type of a user's own that loses updates. Where HALT names a file, it makes that file in the middle of a part and goes
 * no further until the file is gone: what befalls the agent then befalls it at work.
 */
const mine = `
import { createAdapter as create } from ${JSON.stringify(resolve("dist/workloads/crdts/policies/row-lww.js"))};
import { existsSync, writeFileSync } from "node:fs";
const nap = new Int32Array(new SharedArrayBuffer(4));
let made = 0;
export function createAdapter(options) {
  const adapter = create(options);
  return {
    ...adapter,
    create(context) {
      made += 1;
      if (process.env.HALT && made === 40) {
        writeFileSync(process.env.HALT, "");
        while (existsSync(process.env.HALT)) Atomics.wait(nap, 0, 0, 20);
      }
      return adapter.create(context);
    },
  };
}
`;

const campaign = ["converge", "--crdt", "./mine.mjs", "--schedules", "203", "--seed", "7", "--json"];
const onAgents = ["--agents", "URL", "--shards", "6"];

function machine(own = mine): string {
  const cwd = folderForTest();
  writeFileSync(join(cwd, "mine.mjs"), own);
  return cwd;
}

/** Starts an agent that ends with the test, and collects what it says. */
function startAgent(name: string, { cwd = machine(), halt }: { cwd?: string; halt?: string } = {}) {
  const args = ["agent", "--redis", redis, "--name", name, "--threads", "1", "--lease", "2s"];
  const agent = execa(process.execPath, [bin, ...args], {
    ...{ cwd, reject: false, cleanup: true },
    env: halt === undefined ? {} : { HALT: halt },
  });
  onTestFinished(() => void agent.kill("SIGKILL"));
  let said = "";
  agent.stderr.on("data", (text) => {
    said += text;
  });
  return Object.assign(agent, { said: () => said });
}

const parse = (text: string): ConvergeResult => convergeResultSchema.parse(JSON.parse(text));
const withUrl = (args: readonly string[]) => args.map((word) => (word === "URL" ? redis : word));
const startCampaign = (cwd: string) => startHarness(withUrl([...campaign, ...onAgents]), cwd);

test("two of four agents are lost at work, one comes back late: the result is that of one machine", async () => {
  const cwd = machine();
  const alone = parse((await startHarness(campaign, cwd)).stdout);
  expect(alone.crdts[0]!.failures.length).toBeGreaterThan(0);
  const [killedAt, stoppedAt] = [join(cwd, "killed-at"), join(cwd, "stopped-at")];
  const killed = startAgent("killed", { halt: killedAt });
  const stopped = startAgent("stopped", { halt: stoppedAt });
  const running = startCampaign(cwd);
  await until(() => existsSync(killedAt) && existsSync(stoppedAt));
  killed.kill("SIGKILL");
  stopped.kill("SIGSTOP");
  for (const name of ["third", "fourth"]) startAgent(name);
  const { stdout, exitCode, stderr } = await running;
  expect(stderr).not.toContain("Error");
  expect(exitCode).toBe(1);
  const result = parse(stdout);
  expect(result.crdts[0]!.schedules).toBe(203);
  expect(JSON.stringify(result.crdts[0]!.failures)).toBe(JSON.stringify(alone.crdts[0]!.failures));
  const { histogram, sometimes, failed, events } = alone.crdts[0]!;
  expect(result.crdts[0]).toMatchObject({ histogram, sometimes, failed, events });
  expect(result.findings).toEqual(alone.findings);
  const shards = result.shards ?? [];
  expect(shards.map(({ shard }) => shard)).toEqual(["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"]);
  expect(new Set(shards.map(({ id }) => id))).toEqual(new Set(["third", "fourth"]));
  expect(shards.filter(({ attempts }) => attempts === 2)).toHaveLength(2);

  // Its answer comes when its part has long been another's: nobody takes it.
  const answers = await answersOf(result.id);
  stopped.kill("SIGCONT");
  await until(() => stopped.said().includes("is another's") || stopped.said().includes("Missing lock"));
  expect(await answersOf(result.id)).toEqual(answers);
  const latest = join(cwd, "harness-results", "latest");
  expect(readdirSync(join(latest, "shards"))).toHaveLength(6);
  expect(result.replay).toBe(alone.replay);
});

/** The answer that the queue holds of each part. What an agent says of its progress binds nobody, and may come late. */
async function answersOf(id: string): Promise<(string | null)[]> {
  const keys = (await server.admin.keys(`holdfast:*:${id}.*`)).filter((key) => /\.\d+$/.test(key)).sort();
  expect(keys).toHaveLength(6);
  return Promise.all(keys.map((key) => server.admin.hget(key, "returnvalue")));
}

test("an agent that is asked to end gives its part back at once", async () => {
  const cwd = machine();
  const at = join(cwd, "at");
  const first = startAgent("first", { halt: at });
  const running = startCampaign(cwd);
  await until(() => existsSync(at));
  first.kill("SIGTERM");
  rmSync(at);
  expect(await first).toMatchObject({ exitCode: 0 });
  expect(first.said()).toContain("goes back");
  startAgent("second");
  const result = parse((await running).stdout);
  expect(result.crdts[0]!.schedules).toBe(203);
  expect(result.shards!.every(({ id }) => id === "second")).toBe(true);
});

test("an agent whose file is another one takes nothing into the result", async () => {
  const cwd = machine();
  const other = startAgent("other", { cwd: machine(`${mine}\n// changed`) });
  const { exitCode, stderr } = await startCampaign(cwd);
  expect(stderr).toContain("is not the file that the campaign is about");
  expect(exitCode).toBe(69);
  other.kill();
});

test("Ctrl-C keeps what was answered and takes the rest out of the queue", async () => {
  const cwd = machine();
  const at = join(cwd, "at");
  startAgent("slow", { halt: at });
  const running = startCampaign(cwd);
  await until(() => existsSync(at));
  running.kill("SIGINT");
  const { exitCode, stdout } = await running;
  expect(exitCode).toBe(130);
  // Nobody had answered yet: the run has a result all the same, and it says so.
  expect(parse(stdout)).toMatchObject({
    status: "interrupted",
    statusReason: expect.stringContaining("before any agent had answered"),
    crdts: [],
    shards: [],
  });
  expect(existsSync(join(cwd, "harness-results", "latest", "result.json"))).toBe(true);
  const left = (await server.admin.keys("holdfast:*")).filter((key) => /\.\d+$/.test(key));
  expect(left).toHaveLength(1);
});

test("without bullmq: what to install", async () => {
  const cwd = folderForTest();
  // The package as a user has it, where bullmq is not beside it.
  copyTree(resolve("dist"), join(cwd, "holdfast", "dist"));
  copyFileSync("package.json", join(cwd, "holdfast", "package.json"));
  const { stderr, exitCode } = await execa(
    process.execPath,
    [join(cwd, "holdfast", "dist", "harness", "cli", "bin.js"), "agent", "--redis", redis],
    { cwd, reject: false },
  );
  expect(stderr).toContain("npm install bullmq@");
  expect(exitCode).toBe(69);
});

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === "types") continue;
    if (entry.isDirectory()) copyTree(join(from, entry.name), join(to, entry.name));
    else copyFileSync(join(from, entry.name), join(to, entry.name));
  }
}

test.each([
  [
    ["agent", "--redis", "redis://:secret@127.0.0.1:1"],
    69,
    "redis://:***@127.0.0.1:1, cannot be used: nothing listens there (connect ECONNREFUSED 127.0.0.1:1). Start it, or name another: ",
  ],
  [["converge", "--agents", "redis://127.0.0.1:1"], 64, "say how many with --schedules"],
  [["converge", "--agents", "redis://127.0.0.1:1", "--schedules", "9", "--time", "3s"], 64, "leave out --time"],
  [["converge", "--shards", "3"], 64, "--shards is about --agents: add it."],
  [["converge", "--agents", "redis://127.0.0.1:1", "--schedules", "9"], 69, "cannot be used"],
])("%j is refused", async (args, code, message) => {
  const cwd = folderForTest();
  const { stderr, exitCode } = await startHarness(args, cwd);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(code);
  expect(readdirSync(cwd)).toEqual([]);
});
