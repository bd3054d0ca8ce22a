import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const bin = resolve("dist/harness/cli/bin.js");
const faults = "redis-pause(at=1s, for=2s), worker-stop(for=1s)";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-cli-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const harness = (args: readonly string[], env: Record<string, string> = {}) =>
  execa(process.execPath, [bin, ...args], { cwd: folder, env, reject: false, extendEnv: true });

/** Makes `harness` a command for shells whose PATH starts with the folder. */
function putOnPath(): void {
  const script = `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`;
  writeFileSync(join(folder, "harness"), script, { mode: 0o755 });
}

describe("first contact", () => {
  test.each([[[]], [["--help"]], [["help"]], [["-h"]]])("harness %j shows what to try", async (args) => {
    const { stdout, stderr, exitCode } = await harness(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("harness lock --dry-run");
    expect(stderr).toBe("");
  });

  test("the version", async () => {
    expect((await harness(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("help of a command, both ways", async () => {
    const { stdout } = await harness(["lock", "--help"]);
    expect(stdout).toContain("--job-time DISTRIBUTION");
    expect((await harness(["help", "lock"])).stdout).toBe(stdout);
  });
});

describe("what is wrong is said, with 64, and nothing is started", () => {
  test.each([
    [["lokc"], 'There is no command "lokc". Did you mean "lock"?'],
    [["--seed", "7"], "harness takes a command first, not --seed."],
    [["lock", "--tll", "3s"], 'Did you mean "--ttl"?'],
    [["lock", "--ttl", "15"], '--ttl 15: "15" has no unit; write 15s or 15ms.'],
    [["lock", "--ttl", "0s"], "--ttl 0s: 0s is too short"],
    [["lock", "--ttl=-5s"], "a duration here has no sign"],
    [["lock", "--workers", "four"], '"four" is no whole number'],
    [["lock", "--faults", "redis-puase(for=2s)"], 'Did you mean "redis-pause"?'],
    [["lock", "--faults", "redis-pause(at=4s, for=2s)"], "The shortest --duration that fits 3 rounds is 18s."],
    [["lock", "--faults", "nowhere.yaml"], "--faults nowhere.yaml cannot be read"],
    [["lock", "--faults", faults, "--lock", "setnx"], 'Did you mean "set-nx"?'],
    [["lock", "--faults", faults, "--lock", "./nowhere.ts"], "there is no such file"],
    [["lock", "--faults", faults, "--job", "webhok"], 'Did you mean "webhook"?'],
    [["lock", "--faults", faults, "--job-time", "recorded(nowhere.txt)"], "recorded(nowhere.txt) cannot be read"],
    [["lock", "--redis", "redis://localhost", "--faults", faults], "redis-pause would hurt others"],
    [["lock", "--rate", "max", "--faults", faults], "runs without faults"],
    [["list", "lokcs"], 'Did you mean "locks"?'],
  ])("%j", async (args, message) => {
    const { stdout, stderr, exitCode } = await harness(args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(64);
    expect(stdout).toBe("");
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("an --out where nothing can be made", async () => {
    const { exitCode, stderr } = await harness([
      "converge",
      "--crdt",
      "pn-counter",
      "--schedules",
      "10",
      "--out",
      "/proc/foo",
    ]);
    expect(stderr).toMatch(/Results cannot be written to \/proc\/foo/);
    expect(exitCode).toBe(64);
  });

  test("an --out that is a file", async () => {
    writeFileSync(join(folder, "taken"), "");
    const { stderr, exitCode } = await harness(["lock", "--faults", faults, "--out", "taken/results", "--dry-run"]);
    expect(stderr).toContain("is a file, not a folder");
    expect(exitCode).toBe(64);
  });

  test.each([
    ["throws.ts", "throw new Error('no database');", "no database"],
    ["nothing.ts", "export {};", "must export a function `createLock`"],
    ["other.mjs", "export const create = () => {};", "it exports create"],
    [
      "null.cjs",
      "module.exports = null;",
      "must export a function `createLock`, by name or within its default export; it exports null",
    ],
    ["null.ts", "export default null;", "null.ts could not be loaded: its default export is null"],
    [
      "made-of-nothing.ts",
      "export const createLock = () => ({});",
      "lacks `acquire`, `release`, `redisKeys`, `close`.",
    ],
    ["makes-null.mjs", "export const createLock = async () => null;", "returned null; it has to return a lock"],
    ["syntax.ts", "export const = 3;", "could not be loaded"],
    ["vague.ts", "export const createLock = () => {}; export const capabilities = {};", "its `capabilities` must have"],
    [
      "many.ts",
      "export const createLock = () => { throw 0; }; export const capabilities = { renewal: 'none', fencing: 'none', nodes: 5, client: 'x' };",
      "needs 5 independent Redis nodes",
    ],
  ])("a lock's file: %s", async (name, text, message) => {
    writeFileSync(join(folder, name), text);
    const { stderr, exitCode } = await harness(["lock", "--faults", faults, "--lock", `./${name}`, "--dry-run"]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(64);
  });
});

describe("a module that does not come back from being loaded", () => {
  test.each([
    ["--lock", "await new Promise(() => {});", /^--lock: .*module\.mjs .*a top-level await that never resolves/],
    ["--lock", "process.exit(3);", /^--lock: .*module\.mjs ends its process while it is loaded \(exit code 3\)/],
    ["--reporter", "process.exit(0);", /^--reporter: .*module\.mjs ends its process while it is loaded/],
    ["--config", "process.exit(0);", /module\.mjs ends its process while it is loaded/],
  ])("%s of %j is refused by its name, 64", async (flag, code, said) => {
    writeFileSync(join(folder, "module.mjs"), code);
    const { exitCode, stderr } = await harness(["lock", "--dry-run", flag, "./module.mjs"]);
    expect(stderr).toMatch(said);
    expect(exitCode).toBe(64);
  });

  test("Ctrl-C ends one that loops", async () => {
    writeFileSync(
      join(folder, "module.mjs"),
      `import { writeFileSync } from "node:fs"; writeFileSync("loops", ""); for (;;) {}`,
    );
    const running = harness(["converge", "--crdt", "./module.mjs"]);
    while (!readdirSync(folder).includes("loops")) await new Promise((resolve) => setTimeout(resolve, 50));
    running.kill("SIGINT");
    const { exitCode, stderr } = await running;
    expect(stderr).toContain("Interrupted by SIGINT while ");
    expect(exitCode).toBe(130);
  });
});

describe("a plan without a run", () => {
  const dryRun = ["lock", "--faults", faults, "--dry-run"];

  test("is explicit, and names its seed", async () => {
    const { stdout, exitCode } = await harness([...dryRun, "--seed", "7"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("seed      7");
    expect(stdout).toMatch(/worker-stop\(at=0s, for=1s, target=worker:\d\)/);
    expect(stdout).toContain("redis-pause(at=1s, for=2s, target=node:1)");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is the same document, byte for byte, for the same seed", async () => {
    const [one, other, third] = await Promise.all([
      harness([...dryRun, "--json", "--seed", "7"]),
      harness([...dryRun, "--json", "--seed", "7"]),
      harness([...dryRun, "--json"]),
    ]);
    expect(JSON.parse(one.stdout)).toMatchObject({ schema: "harness.plan/1", seed: 7 });
    expect(one.stdout).toBe(other.stdout);
    expect(third.stdout).not.toBe(one.stdout);
  });

  test("takes a user's lock, with options, as an arm of its own", async () => {
    writeFileSync(
      join(folder, "my-lock.ts"),
      "export const createLock = (): never => { throw new Error('not here'); };",
    );
    const { stdout } = await harness([...dryRun, "--json", "--lock", "set-nx", "--lock", "./my-lock.ts(retries=3)"]);
    const { arms } = JSON.parse(stdout);
    expect(arms.map(({ name }: { name: string }) => name)).toEqual([
      "none-literal",
      "none",
      "set-nx",
      "my-lock(retries=3)",
    ]);
    expect(arms[3].lock).toEqual({ name: "my-lock", path: join(folder, "my-lock.ts"), options: { retries: 3 } });
  });

  test("faults come from a YAML file, whose mistakes are pointed at", async () => {
    writeFileSync(join(folder, "plan.yaml"), "faults:\n  - name: redis-pause\n    at: 1s\n    for: 2s\n");
    expect((await harness(["lock", "--faults", "plan.yaml", "--dry-run"])).stdout).toContain(
      "redis-pause(at=1s, for=2s, target=node:1)",
    );
    writeFileSync(join(folder, "plan.yaml"), "faults:\n  - name: redis-pause\n    at: 1\n");
    expect((await harness(["lock", "--faults", "plan.yaml", "--dry-run"])).stderr).toContain(
      'plan.yaml:3:9: "1" has no unit',
    );
  });

  test("recorded job times are read from their file", async () => {
    writeFileSync(join(folder, "times.txt"), "12\n1.5s\n");
    const { stdout } = await harness([...dryRun, "--json", "--job-time", "recorded(times.txt)"]);
    expect(JSON.parse(stdout).job.time).toEqual({ kind: "recorded", valuesMs: [12, 1500] });
  });
});

describe("configuration", () => {
  test("flag, variable, file, preset, default: each value names where it comes from", async () => {
    writeFileSync(
      join(folder, "harness.config.ts"),
      "export default { seed: 3, lock: { workers: 6, ttl: '9s', rounds: 2 } };",
    );
    const args = ["lock", "--print-config", "--workers", "8", "--preset", "incident"];
    const { stdout, exitCode } = await harness(args, { HARNESS_TTL: "5s", HARNESS_JOB: "webhook" });
    expect(exitCode).toBe(0);
    const line = (key: string) =>
      stdout
        .split("\n")
        .find((text) => text.startsWith(`${key} `))
        ?.replace(/\s+/g, " ");
    expect(line("workers")).toBe("workers 8 flag: --workers");
    expect(line("ttl")).toBe("ttl 5s environment: HARNESS_TTL");
    expect(line("rounds")).toBe("rounds 2 file: harness.config.ts: lock.rounds");
    expect(line("seed")).toBe("seed 3 file: harness.config.ts: seed");
    expect(line("rate")).toBe("rate 600/min preset: --preset incident");
    expect(line("job")).toBe("job webhook environment: HARNESS_JOB");
    expect(line("ack")).toBe("ack inside default");
    const json = JSON.parse((await harness([...args, "--json"])).stdout);
    expect(json.values.workers).toEqual({ value: "8", origin: { kind: "flag", detail: "--workers" } });
  });

  test("paths in a file count from its folder", async () => {
    mkdirSync(join(folder, "locks"));
    mkdirSync(join(folder, "deep"));
    writeFileSync(
      join(folder, "locks", "mine.mjs"),
      "const capabilities = { renewal: 'none', fencing: 'none', nodes: 1, client: 'x' };\nexport const createLock = () => ({ capabilities, acquire() {}, release() {}, redisKeys: () => [], close() {} });",
    );
    writeFileSync(
      join(folder, "harness.config.json"),
      JSON.stringify({ lock: { lock: ["./locks/mine.mjs"], faults } }),
    );
    const { stdout } = await execa(process.execPath, [bin, "lock", "--dry-run", "--json"], {
      cwd: join(folder, "deep"),
    });
    expect(JSON.parse(stdout).arms[2].lock.path).toBe(join(folder, "locks", "mine.mjs"));
  });

  test("a wrong key is refused with the nearest", async () => {
    writeFileSync(join(folder, "harness.config.json"), '{ "lock": { "wrokers": 4 } }');
    const { stderr, exitCode } = await harness(["lock", "--dry-run"]);
    expect(stderr).toContain('harness.config.json: there is no option "lock.wrokers". Did you mean "workers"?');
    expect(exitCode).toBe(64);
  });

  test("a password is never printed", async () => {
    const { stdout } = await harness(["lock", "--print-config", "--redis", "redis://user:secret@host:6379/0"]);
    expect(stdout).toContain("redis://user:***@host:6379/0");
    expect(stdout).not.toContain("secret");
  });
});

test("a reader of stdout that goes away is no error", async () => {
  const child = spawn(process.execPath, [bin, "lock", "--faults", faults, "--dry-run", "--json", "--duration", "1h"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((done) => child.on("close", done));
  expect(errors).toBe("");
  expect(code).toBe(0);
});

describe("looking around", () => {
  test.each([
    ["locks", "set-nx"],
    ["faults", "redis-pause"],
    ["profiles", "article"],
    ["presets", "incident"],
    ["queues", "streams"],
    ["jobs", "webhook"],
    ["topologies", "single"],
    ["checks", "exclusion"],
    ["crdts", "document"],
    ["oracles", "DIVERGED"],
    ["scenes", "1"],
  ])("list %s", async (what, member) => {
    const { stdout, exitCode } = await harness(["list", what]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ {0,2}${member}\\b`, "m"));
    const json = JSON.parse((await harness(["list", what, "--json"])).stdout);
    expect(json.map(({ name }: { name: string }) => name)).toContain(member);
    expect((await harness(["list"])).stdout).toContain(what);
  });

  test.each(["lock", "converge", "matrix", "bench", "config"])("schema %s is a JSON Schema", async (what) => {
    const schema = JSON.parse((await harness(["schema", what])).stdout);
    expect(schema.$schema).toContain("json-schema.org");
    expect(Object.keys(schema.properties).length).toBeGreaterThan(3);
  });

  test("the lesson is played; one step for each line of stdin", async () => {
    expect((await harness(["lab", "1", "2"])).stdout).toContain("Scene 2:");
    const json = JSON.parse((await harness(["lab", "5", "--json"])).stdout);
    expect(json.length).toBeGreaterThan(1);
    const stepwise = await execa(process.execPath, [bin, "lab", "1", "--step"], { input: "\n\nq\n" });
    expect(stepwise.stdout).toContain("1.  ");
    expect(stepwise.stdout).not.toContain("3.  ");
    expect((await harness(["lab", "9"])).stderr).toContain('There is no scene "9".');
  });

  test("doctor looks at this machine", async () => {
    const { stdout, exitCode } = await harness(["doctor", "--json"]);
    const { ready, findings } = JSON.parse(stdout);
    expect(exitCode).toBe(ready ? 0 : 69);
    expect(findings.map(({ topic }: { topic: string }) => topic)).toEqual([
      "node",
      "redis",
      "ports",
      "machine",
      "timers",
      "noise",
    ]);
  });
});

describe("setting up", () => {
  test("init writes files that work at once, and keeps those that are there", async () => {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const { stdout, exitCode } = await harness(["init"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("wrote  my-lock.ts");
    const plan = await harness(["lock", "--dry-run"]);
    expect(plan.stderr).toBe("");
    expect(plan.stdout).toContain("set-nx (lock), my-lock (lock)");
    expect((await harness(["init"])).stdout).toContain("kept   my-lock.ts");
    expect((await harness(["init", "--force"])).stdout).toContain("wrote  my-lock.ts");
  });

  test("bash completion completes", async () => {
    const script = (await harness(["completion", "bash"])).stdout;
    const wrapper = join(folder, "harness");
    writeFileSync(wrapper, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 });
    const { stdout } = await execa(
      "bash",
      [
        "-c",
        `${script}
COMP_WORDS=(harness lock --ack ""); COMP_CWORD=3; _harness; echo "\${COMPREPLY[@]}"
COMP_WORDS=(harness li); COMP_CWORD=1; _harness; echo "\${COMPREPLY[@]}"`,
      ],
      {
        env: { PATH: `${folder}:${process.env.PATH}` },
      },
    );
    expect(stdout.split("\n")).toEqual(["inside after", "list"]);
  });
});

/** Their examples need other hosts, or the parts of a campaign: they have tests of their own. */
const needOthers: ReadonlySet<string> = new Set(["agent", "worker", "merge"]);

test("every example in the help works as pasted", async () => {
  putOnPath();
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, XDG_CACHE_HOME: cache, HARNESS_DRY_RUN: "true" };
  mkdirSync(join(folder, ".local/share/bash-completion/completions"), { recursive: true });
  mkdirSync(join(folder, ".config/fish/completions"), { recursive: true });
  // Some look at the latest run: there is one, short and without faults, so that it passes as a measurement of cost.
  const run = await harness([
    "lock",
    "--faults",
    "none",
    "--duration",
    "1s",
    "--rounds",
    "1",
    "--job-time",
    "5ms",
    "--quiet",
  ]);
  expect(run.stderr).toBe("");
  expect(run.exitCode).toBe(0);
  const { stdout } = await harness(["--help"]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name);
  expect(commands).toContain("lock");
  for (const name of commands) {
    const help = (await harness([name, "--help"])).stdout;
    const examples = [...help.split("\nExamples:\n")[1]!.matchAll(/^ {2}(harness .*)$/gm)].map(([, line = ""]) => line);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    // Examples of runs are followed as far as their plan; runs have tests of their own.
    for (const example of needOthers.has(name) ? [] : examples) {
      if (name === "proxy") {
        await listensUntilStopped(example, { ...env, HARNESS_PORT: "0" });
        continue;
      }
      const cwd = await folderFor(example, env);
      const { exitCode, stderr } = await execa("sh", ["-c", example], { cwd, env, reject: false, input: "" });
      const wrong = stderr.replaceAll(/^Wrote .*\n?/gm, "");
      expect(`${example}: ${exitCode} ${wrong}`).toMatch(name === "doctor" ? /: (0|69) / : /: 0 $/);
    }
  }
}, 300_000);

/** Where an example runs: those that make results of their own have a place of their own, so that the latest stays. */
async function folderFor(example: string, env: Record<string, string>): Promise<string> {
  if (example.includes("--resume")) return await folderWithMatrix(env);
  if (example.includes("../base")) return folderBesideBuild();
  return example.includes("compare") ? folderToCompare() : folder;
}

/** The latest run, and a base to compare it with. */
function folderToCompare(): string {
  const cwd = join(folder, "compare");
  const results = join(folder, "harness-results");
  cpSync(results, join(cwd, "harness-results"), { recursive: true, verbatimSymlinks: true });
  cpSync(join(results, "latest"), join(cwd, "base"), { recursive: true, dereference: true });
  return cwd;
}

async function folderWithMatrix(env: Record<string, string>): Promise<string> {
  const cwd = join(folder, "matrix");
  mkdirSync(cwd, { recursive: true });
  const command = "harness matrix --lock set-nx --scenario flush --quiet";
  const { exitCode } = await execa("sh", ["-c", command], {
    ...{ cwd, reject: false },
    env: { ...env, HARNESS_DRY_RUN: "false" },
  });
  expect(exitCode).toBe(0);
  return cwd;
}

/** Two checkouts that are built, side by side: `../base` and this one. */
function folderBesideBuild(): string {
  for (const name of ["base", "head"]) {
    mkdirSync(join(folder, "builds", name), { recursive: true });
    symlinkSync(resolve("dist"), join(folder, "builds", name, "dist"));
  }
  return join(folder, "builds", "head");
}

async function listensUntilStopped(example: string, env: Record<string, string>): Promise<void> {
  const child = execa("sh", ["-c", `exec ${example}`], { cwd: folder, env, reject: false });
  for await (const line of child.iterable({ from: "stdout" })) {
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    child.kill("SIGTERM");
  }
  const { exitCode, stderr } = await child;
  expect(`${example}: ${exitCode} ${stderr}`).toBe(`${example}: 0 Listening. Ctrl-C ends it.`);
}
