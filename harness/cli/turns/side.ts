import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { flagName } from "../../config/option.ts";
import { UsageError } from "../../errors.ts";
import { builtFile } from "../../package-root.ts";
import { splitWords } from "./words.ts";

const comparedKinds = ["lock", "converge", "matrix", "bench"] as const;
export type ComparedKind = (typeof comparedKinds)[number];

/** One side of a comparison by runs: which build of the harness runs what. */
export interface Side {
  /** What people call it: as it was written. */
  label: string;
  kind: ComparedKind;
  /** Absolute path of the build's command. */
  bin: string;
  /** True: another build than the one that compares. */
  foreign: boolean;
  /** Options and configuration, without what the comparison itself decides. */
  args: readonly string[];
}

/** What the comparison decides for both sides. */
const decided: Readonly<Record<ComparedKind, readonly string[]>> = {
  lock: ["rounds", "duration", "control"],
  converge: ["time"],
  matrix: [],
  bench: ["rounds", "time"],
};
const always = ["seed", "json", "out", "reporter", "dryRun", "printConfig", "quiet"];

/**
 * Reads a side: `[BUILD] [lock|converge|matrix|bench] [CONFIG FILE] [OPTIONS]`, after what both sides have in common.
 * A build is the folder of a checkout that was built, or a `bin.js`.
 */
export function readSide(text: string, common: string | undefined, cwd: string): Side {
  const [shared, own] = [readWords(splitWords(common ?? ""), cwd), readWords(splitWords(text), cwd)];
  const kinds = [...new Set([shared.kind, own.kind].filter((kind) => kind !== undefined))];
  if (kinds.length > 1)
    throw new UsageError(`${text}: --common says ${shared.kind}, and this side says ${own.kind}.`, {
      code: "IMPOSSIBLE",
    });
  const kind = kinds[0] ?? "lock";
  const args = [...shared.args, ...own.args];
  refuseDecided(kind, args);
  const build = own.bin ?? shared.bin;
  const label = text.trim() === "" ? (common ?? `harness ${kind}`) : text;
  return { label, kind, bin: build ?? builtFile("harness/cli/bin.js"), foreign: build !== undefined, args };
}

interface Words {
  bin?: string;
  kind?: ComparedKind;
  args: string[];
}

function readWords(words: readonly string[], cwd: string): Words {
  const rest = [...words];
  const bin = rest[0] === undefined ? undefined : buildAt(resolve(cwd, rest[0]));
  if (bin !== undefined) rest.shift();
  const kind = comparedKinds.find((name) => name === rest[0]);
  if (kind !== undefined) rest.shift();
  const config = rest[0] !== undefined && isFile(resolve(cwd, rest[0])) ? resolve(cwd, rest[0]) : undefined;
  if (config !== undefined) rest.shift();
  // The benchmarks of `harness bench` are named by words.
  if (rest[0] !== undefined && !rest[0].startsWith("-") && kind !== "bench") {
    throw new UsageError(
      `"${rest[0]}" is neither a build (a folder with dist/harness/cli/bin.js), nor a configuration file, nor one of ${comparedKinds.join(", ")}, nor an option.`,
      { code: "BAD_VALUE" },
    );
  }
  return {
    ...(bin === undefined ? {} : { bin }),
    ...(kind === undefined ? {} : { kind }),
    args: [...(config === undefined ? [] : ["--config", config]), ...rest],
  };
}

function buildAt(path: string): string | undefined {
  if (/bin\.[cm]?js$/.test(path) && isFile(path)) return path;
  const bin = join(path, "dist", "harness", "cli", "bin.js");
  return existsSync(bin) ? bin : undefined;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function refuseDecided(kind: ComparedKind, args: readonly string[]): void {
  for (const key of [...always, ...decided[kind]]) {
    const flag = `--${flagName(key)}`;
    if (!args.some((word) => word === flag || word === `--no-${flagName(key)}` || word.startsWith(`${flag}=`)))
      continue;
    const instead = { rounds: "--pairs", duration: "--round", time: "--round", seed: "--seed" }[key];
    throw new UsageError(
      `${flag} is for the comparison to decide${instead === undefined ? "" : `: give ${instead} to harness compare`}.`,
      { code: "IMPOSSIBLE" },
    );
  }
}
