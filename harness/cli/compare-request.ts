import { randomInt } from "node:crypto";
import { type CompareOptions, thresholdNames } from "../../reports/compare/options.ts";
import { commonOptions } from "../config/common-options.ts";
import { compareOptions } from "../config/compare-options.ts";
import { absolutePath, baseFolder, type ConfigFile } from "../config/config-file.ts";
import { didYouMean } from "../config/nearest.ts";
import { refuseUnwritable } from "../config/outside.ts";
import { redactArgv } from "../config/redact.ts";
import { isGiven, type Resolved } from "../config/resolve.ts";
import { UsageError } from "../errors.ts";
import { replayCommand, shellQuote } from "./replay-command.ts";
import { loadReporters, type NamedReporter } from "./reporters.ts";
import { readSide, type Side } from "./turns/side.ts";

export const compareTable = { ...compareOptions, ...commonOptions } as const;
export type CompareFlags = Resolved<typeof compareTable>;

/** A comparison, resolved: what is the same for stored results and for runs in turns. */
export interface CompareRequest {
  statistics: CompareOptions;
  sides: readonly string[];
  argv: readonly string[];
  config: Readonly<Record<string, string | readonly string[]>>;
  /** The command that does the same again, for a seed where one was drawn. */
  replay(decided?: Readonly<Record<string, string | number>>): string;
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
}

/** The same with sides that are run, in turns. */
export interface TurnsRequest extends CompareRequest {
  base: Side;
  head: Side;
  pairs: number;
  roundMs: number;
  /** Given, or drawn. */
  seed: number;
  calibrate: boolean;
}

/** From resolved options to a comparison. Starts nothing; throws `UsageError`. */
export async function makeCompareRequest(
  options: CompareFlags,
  sides: readonly string[],
  { cwd, argv, file }: { cwd: string; argv: readonly string[]; file: ConfigFile | undefined },
): Promise<CompareRequest> {
  const { values, origins } = options;
  refuseImpossible(options);
  const folderOf = (key: keyof typeof compareTable) => baseFolder(origins[key], file, cwd);
  const outFolder = absolutePath(folderOf("out"), values.out);
  refuseUnwritable(outFolder);
  const words = sides.map((side) => ` ${shellQuote(side)}`).join("");
  return {
    statistics: {
      paired: values.run || values.calibrate,
      thresholds: thresholdsOf(values.threshold),
      gateUnpaired: values.gateUnpaired,
      strict: values.strict,
      force: values.force,
    },
    sides,
    argv: redactArgv(argv),
    config: writtenConfig(options),
    replay: (decided) =>
      replayCommand("compare", compareTable, options, decided).replace(
        /^npx harness compare/,
        `$&${words.replaceAll("$", "$$$$")}`,
      ),
    outFolder,
    reporters: await loadReporters(values.reporter, folderOf("reporter")),
    json: values.json,
  };
}

/** What `--run` and `--calibrate` run. */
export function makeTurnsRequest(
  request: CompareRequest,
  { values }: CompareFlags,
  sides: readonly string[],
  cwd: string,
): TurnsRequest {
  const { calibrate, common, round, seed = randomInt(2 ** 32) } = values;
  const [first, second] = calibrate ? [sides[0] ?? "", sides[0] ?? ""] : sides;
  if (first === undefined || second === undefined || (calibrate && sides.length > 1)) {
    throw new UsageError(
      calibrate
        ? "--calibrate runs one configuration against itself: give one, or none for the defaults."
        : "--run needs two sides: configuration files, options in quotes, or builds.",
      { code: "MISSING_ARGUMENT" },
    );
  }
  const [base, head] = [readSide(first, common, cwd), readSide(second, common, cwd)];
  if (base.kind !== head.kind) {
    throw new UsageError(`A ${base.kind} run cannot be compared with a ${head.kind} run.`, { code: "NOT_COMPARABLE" });
  }
  // A matrix has verdicts and no rounds: once each is all there is to compare.
  const pairs = base.kind === "matrix" ? 1 : values.pairs;
  const roundMs = round ?? defaultRoundMs[base.kind];
  return { ...request, base, head, pairs, roundMs, calibrate, seed };
}

/** A matrix has no rounds. */
const defaultRoundMs = { lock: 5_000, converge: 2_000, matrix: 0, bench: 100 } as const;

function thresholdsOf(list: CompareFlags["values"]["threshold"]): Record<string, number> {
  for (const { metric } of list) {
    if (thresholdNames.includes(metric)) continue;
    throw new UsageError(`--threshold ${metric}: there is no such metric.${didYouMean(metric, thresholdNames)}`, {
      code: "UNKNOWN_NAME",
    });
  }
  return Object.fromEntries(list.map(({ metric, share }) => [metric, share]));
}

function refuseImpossible({ values, origins }: CompareFlags): void {
  const runs = values.run || values.calibrate;
  const pointless = (["common", "pairs", "round", "seed"] as const).find(
    (key) => !runs && isGiven(origins[key]) && origins[key]?.kind !== "file",
  );
  if (pointless !== undefined) {
    throw new UsageError(`--${pointless} is about runs in turns: add --run or --calibrate.`, { code: "IMPOSSIBLE" });
  }
  if (runs && values.gateUnpaired) {
    throw new UsageError(
      "--gate-unpaired is about two stored results; rounds that run in turns are pairs. Leave it out.",
      {
        code: "IMPOSSIBLE",
      },
    );
  }
}

function writtenConfig({ texts }: CompareFlags): CompareRequest["config"] {
  return Object.fromEntries(
    Object.entries(compareTable).flatMap(([key, { repeatable }]) => {
      const text = texts[key];
      return text === undefined || key === "printConfig" || key === "dryRun"
        ? []
        : [[key, repeatable ? text : (text[0] ?? "")]];
    }),
  );
}
