import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The package as npm would publish it, installed into an empty folder, as a user finds it. */
let folder: string;
let tarball: string;
let warnings: string;
let packed: { size: number; unpackedSize: number; files: { path: string }[] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-package-"));
  if (!existsSync("dist/types")) await execa("node", ["build.mjs"]);
  const { stdout } = await execa("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  [packed] = JSON.parse(stdout);
  tarball = join(folder, JSON.parse(stdout)[0].filename);
  mkdirSync(join(folder, "user"));
  writeFileSync(join(folder, "user", "package.json"), JSON.stringify({ name: "user", version: "1.0.0" }));
  const installed = await execa(
    "npm",
    ["install", "--save-dev", "--no-audit", "--no-fund", "--prefer-offline", tarball],
    {
      cwd: join(folder, "user"),
    },
  );
  warnings = installed.stderr;
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (...args: [command: string, ...rest: string[]]) => {
  const [command, ...rest] = args;
  return execa(command, rest, { cwd: join(folder, "user"), reject: false, stdin: "ignore" });
};
const harness = (...args: string[]) => inFolder("npx", "--no-install", "harness", ...args);

/** What a strict TypeScript says of files in the user's folder, with the declarations of the packages checked as well. */
async function compilerSays(...files: string[]): Promise<string> {
  const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2023"];
  const types = ["--typeRoots", resolve("node_modules/@types"), "--types", "node"];
  const tsc = resolve("node_modules/typescript/bin/tsc");
  return (await inFolder(process.execPath, tsc, ...flags, ...types, ...files)).stdout;
}

describe("what is packed", () => {
  test("installs without a word on engines that another Node would have to be", () => {
    expect(warnings).not.toContain("EBADENGINE");
  });

  test("has no scripts that an installation would run, or ask about", () => {
    expect(warnings).not.toMatch(/script/i);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    expect(["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)).toEqual([]);
  });

  test("is the built command, the types of the public interface, and the notices; no sources, no tests, no maps", () => {
    const paths = packed.files.map(({ path }) => path);
    expect(
      paths.filter((path) => !/^(dist|docs)\/|^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/.test(path)),
    ).toEqual([]);
    expect(paths.filter((path) => /\.map$|(?<!\.d)\.ts$|\.test\./.test(path))).toEqual([]);
    expect(paths).toContain("dist/types/harness/cli/library.d.cts");
    expect(paths.filter((path) => /^dist\/types\/(reports\/html|workloads\/locks)/.test(path))).toEqual([]);
    // Megabytes: of the tarball, and of what it unpacks to.
    expect(packed.size / 1e6).toBeLessThan(1.6);
    expect(packed.unpackedSize / 1e6).toBeLessThan(7);
  });

  test("the licences of what is bundled are told", () => {
    const notices = readFileSync("dist/THIRD-PARTY-LICENCES.txt", "utf8");
    for (const name of ["yargs", "zod", "execa", "ioredis", "d3-scale", "picocolors"]) {
      expect(notices).toMatch(new RegExp(`^- ${name} \\d`, "m"));
    }
    expect(notices).toContain("Permission is hereby granted");
  });

  test("has types and entries that are right for ES modules and CommonJS", async () => {
    const publint = await execa("npx", ["--no-install", "publint", "run", tarball, "--strict"], { reject: false });
    expect(publint.stdout).toContain("All good!");
    // Vitest is for ES modules only, and so is its helper.
    const attw = ["--no-install", "attw", tarball, "--format", "ascii", "--no-color"];
    for (const [profile, ...entries] of [
      ["node16", "--exclude-entrypoints", "./vitest"],
      ["esm-only", "--entrypoints", "./vitest"],
    ] as const) {
      const found = await execa("npx", [...attw, "--profile", profile, ...entries], { reject: false });
      expect(found.stdout).toMatch(/from ESM\)?: 🟢/);
      expect(found.exitCode, found.stdout).toBe(0);
    }
  });
});

describe("installed", () => {
  test("no package runs a script at its installation", () => {
    const lock = JSON.parse(readFileSync(join(folder, "user/node_modules/.package-lock.json"), "utf8"));
    const packages = Object.entries(lock.packages as Record<string, { hasInstallScript?: boolean }>);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
    expect(packages.length).toBeLessThan(45);
  });

  test("the command starts, and converges", async () => {
    expect((await harness("--version")).stdout).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
    expect((await harness("--help")).stdout).toContain("harness lock");
    const { stdout, stderr, exitCode } = await harness("converge", "--time", "1s");
    expect(stdout).toMatch(/^PASSED/);
    expect(exitCode, stderr).toBe(0);
    expect(statSync(join(folder, "user/harness-results/latest/report.html")).size).toBeGreaterThan(1_000);
  });

  test("`require` and `import` give the same functions and classes", async () => {
    writeFileSync(
      join(folder, "user/both.cjs"),
      `const required = require("holdfast");
const { assertHolds } = require("holdfast/assert");
import("holdfast").then(async (imported) => {
  const { code } = await imported.runLock({ wrokers: 1 }).catch((error) => error);
  const same = Object.keys(imported).every((key) => imported[key] === required[key]);
  console.log(same, typeof required.runLock, typeof assertHolds, code);
});
`,
    );
    const { stdout, stderr } = await inFolder(process.execPath, "both.cjs");
    expect({ stdout, stderr }).toEqual({ stdout: "true function function UNKNOWN_OPTION", stderr: "" });
  });

  test("a strict compiler accepts what is right and refuses what is wrong, as ES module and as CommonJS", async () => {
    const use = `
  const result = await runLock({ lock: ["set-nx", new URL("file:///my-lock.ts")], ttl: "15s", duration: 4_000, ack: "after" });
  assertHolds(result, "set-nx");
  const p99: number | null | undefined = result.arms[0]?.acquire.p99Ms;
  const crdts = (await converge({ crdt: "document", schedules: 10 })).crdts.map(({ name }) => name);
  // @ts-expect-error: there is no such option
  await runLock({ wrokers: 4 });
  // @ts-expect-error: nor such a choice
  await runLock({ ack: "never" });
  const error: UsageError = new UsageError("no");
  return { p99, crdts, error };`;
    const imports = `import { converge, runLock, UsageError } from "holdfast";\nimport { assertHolds } from "holdfast/assert";\n`;
    for (const name of ["typed.mts", "typed.cts"]) {
      writeFileSync(join(folder, "user", name), `${imports}export async function use() {${use}\n}\n`);
    }
    expect(await compilerSays("typed.mts", "typed.cts")).toBe("");
  });

  test("init gives a lock and a data type that run, and pass", async () => {
    const { stdout } = await harness("init");
    // It is there because holdfast needs it, and the user's package does not name it.
    expect(stdout).toContain("npm i -D ioredis\n");
    expect(await compilerSays("harness.config.ts", "my-lock.ts", "my-crdt.ts")).toBe("");
    const cost = ["--duration", "1s", "--rounds", "1", "--faults", "none", "--job-time", "5ms", "--quiet"];
    const lock = await harness("lock", "--lock", "./my-lock.ts", ...cost);
    expect(lock.stderr).toBe("");
    expect(lock.stdout).toContain("my-lock");
    expect(lock.exitCode).toBe(0);
    const crdt = await harness("converge", "--crdt", "./my-crdt.ts", "--schedules", "300", "--seed", "1");
    expect(crdt.stdout, crdt.stderr).toMatch(/^PASSED/);
  });

  test.each([
    ["yjs", ["converge", "--crdt", "yjs", "--schedules", "1"]],
    ["@automerge/automerge", ["converge", "--crdt", "automerge", "--schedules", "1"]],
    ["loro-crdt", ["converge", "--crdt", "loro", "--schedules", "1"]],
    ["bullmq", ["lock", "--queue", "bullmq"]],
    ["redis-semaphore", ["lock", "--lock", "redis-semaphore"]],
  ])("without %s, what needs it ends with 69 and the words to install it", async (name, args) => {
    const { stderr, exitCode } = await harness(...args);
    expect(stderr).toMatch(new RegExp(`npm install (--save-dev )?${name}`));
    expect(exitCode).toBe(69);
  });
});

test("every path that package.json exports is there", () => {
  const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8"));
  const paths = JSON.stringify({ exports, bin }).match(/dist\/[^"]+/g) ?? [];
  expect(paths.filter((path) => !existsSync(resolve(path)))).toEqual([]);
});
