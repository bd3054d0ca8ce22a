// What only a container engine can show; where none answers, docker.test.ts tests what can be tested without one.
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa, execaSync } from "execa";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { convergeResultSchema } from "../../harness/results/converge-schema.ts";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { armOf, folderForTest, startHarness, until } from "./run-harness.ts";

const engine = ["docker", "podman"].find(
  (name) => execaSync(name, ["version", "--format", "{{.Server.Version}}"], { reject: false }).exitCode === 0,
);
const image = "localhost/holdfast-test";
/** Somebody who is not root: the owner of the results, as `$(id -u):$(id -g)`. */
const self = [process.getuid?.() ?? 0, process.getgid?.() ?? 0] as const;
const [uid, gid] = self[0] === 0 ? [4321, 4321] : self;
const short = ["--rounds", "1", "--duration", "4s", "--seed", "4"];

/** A folder of that user. */
function ownedFolder(): string {
  const folder = join(folderForTest(), "owned");
  mkdirSync(folder, { mode: 0o755 });
  if (uid !== self[0]) chownSync(folder, uid, gid);
  return folder;
}

const inImage = (options: readonly string[], args: readonly string[]) =>
  execa(engine!, ["run", "--rm", "--user", `${uid}:${gid}`, ...options, image, ...args], { reject: false });

const containers = async (name: string) =>
  (await execa(engine!, ["ps", "--all", "--filter", `name=${name}`, "--format", "{{.Names}}"])).stdout
    .split("\n")
    .filter((line) => line !== "");

describe.runIf(engine !== undefined)("the image", () => {
  beforeAll(async () => {
    await execa(engine!, ["build", "--file", "docker/Dockerfile", "--tag", image, "."]);
  }, 600_000);

  test("has all that a run needs, and keeps the results as their folder's owner", async () => {
    const folder = ownedFolder();
    const { stdout } = await inImage(["--volume", `${folder}:/work/harness-results`], ["lock", ...short, "--json"]);
    const result = lockResultSchema.parse(JSON.parse(stdout));
    expect(result.environment.redis?.how).toBe("path");
    expect(result.status).not.toBe("interrupted");
    expect(statSync(join(folder, "latest", "report.html")).uid).toBe(uid);
  });

  test("runs the lock of a mounted folder without node_modules", async () => {
    const folder = ownedFolder();
    await inImage(["--volume", `${folder}:/work`], ["init"]);
    const { stdout } = await inImage(["--volume", `${folder}:/work`], ["lock", ...short, "--json"]);
    expect(armOf(lockResultSchema.parse(JSON.parse(stdout)), "my-lock").jobs.offered).toBeGreaterThan(0);
    expect(statSync(join(folder, "harness-results", "latest", "result.json")).uid).toBe(uid);
  });

  test("gives its libraries to ES modules too", async () => {
    const folder = ownedFolder();
    writeFileSync(
      join(folder, "mine.mjs"),
      ["ioredis", "bullmq", "holdfast"].map((name) => `import "${name}";`).join("") +
        "export const createLock = () => ({});",
    );
    const { stderr } = await inImage(["--volume", `${folder}:/work`], ["lock", "--lock", "./mine.mjs"]);
    expect(stderr).toContain("lacks `acquire`");
  });

  test("plays a part in each pod of the Indexed Job, and puts them together", async () => {
    const folder = ownedFolder();
    const job = parse(readFileSync("docker/examples/indexed-job.yaml", "utf8"));
    const [{ command, args }] = job.spec.template.spec.containers;
    const script = String(args).replace("10000000", "600").replace(`/${job.spec.completions} `, "/3 ");
    const mounted = ["--volume", `${folder}:/results`];
    const [entry, ...rest] = command as [string, ...string[]];
    for (const index of [0, 1, 2]) {
      const options = [...mounted, "--entrypoint", entry, "--env", `JOB_COMPLETION_INDEX=${index}`];
      expect((await inImage(options, [...rest, script])).exitCode).toBe(0);
    }
    const { stdout } = await inImage(mounted, ["merge", "/results", "--out", "/results/whole", "--json"]);
    const whole = convergeResultSchema.parse(JSON.parse(stdout));
    expect(whole).toMatchObject({ status: "passed", crdts: [{ schedules: 600, schedulesAsked: 600 }] });
  });

  test("is stopped by its engine in time, with what was recorded kept", async () => {
    const folder = ownedFolder();
    const name = `holdfast-test-${process.pid}`;
    const run = inImage(["--name", name, "--volume", `${folder}:/work/harness-results`], ["lock", "--seed", "4"]);
    let said = "";
    run.stderr.on("data", (chunk) => {
      said += chunk;
    });
    await until(() => said.includes("load · "));
    await execa(engine!, ["stop", "--time", "30", name]);
    expect((await run).exitCode).toBe(143);
    const result = lockResultSchema.parse(JSON.parse(readFileSync(join(folder, "latest", "result.json"), "utf8")));
    expect(result.status).toBe("interrupted");
  });
});

describe.runIf(engine !== undefined && process.platform === "linux")("--runtime docker", () => {
  test("pauses, kills and restarts real containers, and leaves none", async () => {
    const cwd = folderForTest();
    const faults = "redis-pause(at=0.5s, for=1s), redis-kill(at=1.2s, for=0.5s)";
    const args = ["lock", "--runtime", "docker", "--topology", "redlock", "--lock", "redlock", "--faults", faults];
    const run = await startHarness([...args, ...short, "--json"], cwd);
    const result = lockResultSchema.parse(JSON.parse(run.stdout));
    expect(result.environment.redis?.how).toBe("container");
    expect(result.faults.filter((fault) => "error" in fault)).toEqual([]);
    expect(result.faults.every(({ injectedAtMs, healedAtMs }) => injectedAtMs !== null && healedAtMs !== null)).toBe(
      true,
    );
    expect(await containers("holdfast-lock-")).toEqual([]);
  });

  test("leaves no container when it is killed while they are stopped", async () => {
    const cwd = folderForTest();
    const args = ["lock", "--runtime", "docker", "--faults", "redis-pause(at=0.5s, for=20s)", "--duration", "30s"];
    const run = startHarness([...args, "--rounds", "1"], cwd);
    let said = "";
    run.stderr!.on("data", (chunk) => {
      said += chunk;
    });
    await until(() => said.includes("redis-pause"));
    run.kill("SIGKILL");
    await run;
    while ((await containers("holdfast-lock-")).length > 0) await sleep(200);
  });
});
