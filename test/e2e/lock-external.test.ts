import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findRedis } from "../../harness/redis/find.ts";
import { freePort } from "../../harness/redis/free-port.ts";
import { type RedisServer, startRedisServer } from "../../harness/redis/server.ts";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";
import { bin, folderForTest, latestRun, leftovers, startHarness, until } from "./run-harness.ts";

const PASSWORD = "s3cret-of-somebody";
const THEIRS = { theirs: "1", "holdfast:theirs": "2", "lock:theirs": "3" };

let supervisor: Supervisor;
let server: RedisServer;
let folder: string;
let tlsPort: number;
let certificate: string;
beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  folder = makeOwnedFolder(supervisor);
  certificate = join(folder, "cert.pem");
  const key = join(folder, "key.pem");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...request, ...subject], { stdio: "ignore" });
  tlsPort = await freePort();
  server = await startRedisServer({
    ...{ redis: await findRedis(), supervisor, folder, name: "foreign:1", password: PASSWORD },
    config: {
      unixsocket: join(folder, "s.sock"),
      "tls-port": String(tlsPort),
      "tls-cert-file": certificate,
      "tls-key-file": key,
      "tls-ca-cert-file": certificate,
      "tls-auth-clients": "no",
    },
  });
  await server.admin.call("ACL", "SETUSER", "ann", "on", `>${PASSWORD}`, "~holdfast:*", "+@all", "-@dangerous");
});
afterAll(() => supervisor?.close());
beforeEach(() => server.admin.mset(THEIRS));

const load = ["--duration", "1s", "--rounds", "1", "--rate", "600", "--job-time", "constant(20ms)", "--ack", "after"];
const start = (args: readonly string[], cwd: string) =>
  execa(process.execPath, [bin, "lock", "--json", ...args], {
    ...{ cwd, reject: false },
    env: { NODE_EXTRA_CA_CERTS: certificate },
  });

/** Every file of a run, as text. */
function filesOf(cwd: string): string {
  const results = join(cwd, "harness-results");
  if (!existsSync(results)) return "";
  return readdirSync(results, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}

async function expectUntouched(): Promise<void> {
  expect((await server.admin.keys("*")).sort()).toEqual(Object.keys(THEIRS).sort());
  for (const db of [1, 3]) {
    const other = server.admin.duplicate({ db });
    expect(await other.dbsize()).toBe(0);
    other.disconnect();
  }
}

/** After a kill the supervisor removes them, as soon as the processes are gone. */
async function untilOwnKeysAreGone(): Promise<void> {
  let own = 1;
  while (own > 0) {
    own = (await server.admin.keys("holdfast:lock-*")).length;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("on a server of somebody else", () => {
  const delay = ["--faults", "latency(base=2ms), reset(at=0.5s, for=0.1s)"];
  test.each([
    ["with a password", () => [`redis://:${PASSWORD}@127.0.0.1:${server.port}`, ...delay]],
    [
      "as an ACL user, in a database of its own",
      () => [`redis://ann:${PASSWORD}@127.0.0.1:${server.port}/3`, ...delay],
    ],
    ["over TLS", () => [`rediss://:${PASSWORD}@localhost:${tlsPort}/1`, ...delay]],
    ["through a unix socket", () => [`unix://:${PASSWORD}@${join(folder, "s.sock")}?db=1`, "--faults", "none"]],
    ["with BullMQ", () => [`redis://:${PASSWORD}@127.0.0.1:${server.port}`, "--faults", "none", "--queue", "bullmq"]],
  ])("%s: runs, leaves every foreign key and none of its own, and never shows the password", async (_, given) => {
    const cwd = folderForTest();
    const { stdout, stderr, exitCode } = await start(["--redis", ...given(), ...load], cwd);
    const result = lockResultSchema.parse(JSON.parse(stdout));
    expect(result.faults.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(result.arms.at(-1)?.jobs).toMatchObject({ lost: 0, duplicated: 0 });
    // A reset between a command and its reply makes the client send it again, and be refused by its own token: that is
    // found, now and then, and nothing else is.
    const resent = ["linearizability", "liveness"];
    expect(resent).toEqual(expect.arrayContaining(result.findings.map(({ check }) => check)));
    expect(result.findings.length > 0 ? [1] : [0, 2], stderr).toContain(exitCode);
    expect(stdout + stderr + filesOf(cwd)).not.toContain(PASSWORD);
    await expectUntouched();
  });

  test.each([
    ["SIGINT", 130],
    ["SIGKILL", undefined],
  ] as const)("a run that is ended half-way by %s leaves nothing either", async (signal, code) => {
    const cwd = folderForTest();
    const args = ["--redis", `redis://:${PASSWORD}@127.0.0.1:${server.port}`, "--faults", "none", "--duration", "20s"];
    const run = start([...args, "--rounds", "1"], cwd);
    const journals = join(latestRun(cwd), "journals");
    await until(() => existsSync(journals) && readdirSync(journals).some((name) => name.includes("worker")));
    process.kill(run.pid!, signal);
    const { stdout, stderr, exitCode } = await run;
    expect(exitCode).toBe(code);
    await until(() => leftovers(run.pid!).length === 0);
    if (signal === "SIGKILL") await untilOwnKeysAreGone();
    expect(stdout + stderr + filesOf(cwd)).not.toContain(PASSWORD);
    await expectUntouched();
  });

  test("doctor finds what killed runs have left, says how to remove it, and removes no more than it is told", async () => {
    const url = `redis://:${PASSWORD}@127.0.0.1:${server.port}`;
    const [old, other] = ["lock-20260131T120005Z-3f9a1c", "lock-20260201T120005Z-a0a0a0"];
    await server.admin.mset({
      [`holdfast:${old}:job:1`]: "1",
      [`holdfast:${old}:job:2`]: "1",
      [`holdfast:${other}:job:1`]: "1",
    });
    const doctor = async (...args: string[]) => {
      const { stdout, stderr } = await startHarness(["doctor", "--redis", url, ...args], folderForTest());
      expect(stdout + stderr).not.toContain(PASSWORD);
      return stdout.replaceAll(/\s+/g, " ");
    };
    const found = await doctor();
    expect(found).toContain("3 keys of 2 runs that were killed, or still go on:");
    expect(found).toContain(`${old} 2 keys ${other} 1 key`);
    expect(found).toContain(`harness doctor --redis URL --remove-keys-of ${old} --remove-keys-of ${other}`);
    const removed = await doctor("--remove-keys-of", old);
    expect(removed).toContain(`removed 2 keys of ${old}`);
    expect(removed).toContain(`1 key of a run that was killed, or still goes on: ${other} 1 key`);
    expect(await doctor("--remove-keys-of", other)).toContain("; no keys of earlier runs");
    await expectUntouched();
  });

  test("doctor refuses what is no run, and a run without a server", async () => {
    const refused = await startHarness(["doctor", "--redis", "redis://127.0.0.1:1", "--remove-keys-of", "*"], folder);
    expect(refused).toMatchObject({ exitCode: 64, stderr: expect.stringContaining("--remove-keys-of *: a run is") });
    const alone = await startHarness(["doctor", "--remove-keys-of", "lock-20260131T120005Z-3f9a1c"], folder);
    expect(alone).toMatchObject({ exitCode: 64, stderr: expect.stringContaining("needs --redis URL") });
  });

  test.each(["redis-pause", "redis-kill", "redis-flush", "redis-clock(step=+10s)", "redis-eviction"])(
    "%s is refused: it would hurt others",
    async (fault) => {
      const url = `redis://:${PASSWORD}@127.0.0.1:${server.port}`;
      const { exitCode, stderr } = await startHarness(["lock", "--redis", url, "--faults", fault], folderForTest());
      expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringMatching(/would hurt others/) });
      expect(stderr).not.toContain(PASSWORD);
    },
  );

  test("faults that must see commands are refused over TLS", async () => {
    const fault = "error-reply(command=SET, error=READONLY)";
    const args = ["lock", "--redis", `rediss://localhost:${tlsPort}`, "--faults", fault];
    const { exitCode, stderr } = await startHarness(args, folderForTest());
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringMatching(/over TLS/) });
  });
});
