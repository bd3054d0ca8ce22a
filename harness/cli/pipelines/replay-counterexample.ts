import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { CrdtRef } from "../../converge/adapter/crdt-ref.ts";
import type { Counterexample } from "../../converge/counterexample/counterexample.ts";
import { parseReplayFile, type ReplayFile } from "../../converge/replay/replay-file.ts";
import { runReplay } from "../../converge/replay/run-replay.ts";
import { REGION_IDS } from "../../converge/run/region.ts";
import type { ConvergeRun } from "../../converge/run-converge.ts";
import type { ConvergeFailure } from "../../results/converge-schema.ts";
import type { ConvergeRequest } from "../converge-request.ts";
import type { CommandIo } from "../io.ts";
import { shellQuote } from "../replay-command.ts";
import type { NamedReporter } from "../reporters.ts";
import { findWorkload } from "../workloads.ts";
import { finishConverge, lazyFolder } from "./converge.ts";

export interface CounterexampleReplay {
  /** As it was named, and where it is. */
  shown: string;
  path: string;
  argv: readonly string[];
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
  /** Where to write a test file of it, absolute, if anywhere. */
  emitTest?: string;
}

/** Runs the schedule of a counterexample again, and tells whether it still fails. Gives the exit code. */
export async function replayCounterexample(replay: CounterexampleReplay, io: CommandIo): Promise<number> {
  const text = readFileSync(replay.path, "utf8");
  const stored = parseReplayFile(text, replay.shown);
  const { argument, options } = stored.crdt;
  const { ref } = findWorkload("crdt", argument, io.cwd);
  const crdt: CrdtRef = { ...ref, argument, ...(options === undefined ? {} : { options }) };
  const request = requestOf(replay, stored, crdt);
  const startedAt = new Date();
  const startedMs = performance.now();
  const told = await runReplay(crdt, stored);
  const folder = lazyFolder(request, startedAt, io)();
  const elapsedMs = performance.now() - startedMs;
  return await finishConverge(request, runOf(replay, { stored, told, text, elapsedMs }), { folder, startedAt, io });
}

function runOf(
  { shown, path }: CounterexampleReplay,
  { stored, told, text, elapsedMs }: { stored: ReplayFile; told: Counterexample; text: string; elapsedMs: number },
): ConvergeRun {
  const { regions, seed, index, crdt, oracle: before } = stored;
  const { schedule: _, deep: _deep, ...rest } = told;
  const still = told.oracle !== "";
  const file = `counterexamples/${basename(path)}`;
  const failure: ConvergeFailure = { ...rest, seed, index, file, replay: `npx harness replay ${shellQuote(shown)}` };
  const other = told.oracle === before ? "" : `, where it was ${before}`;
  return {
    // A search of its own: one schedule, whose order is given.
    mode: "fuzz",
    ...{ seed, threads: 1, durationMs: elapsedMs, warnings: [] },
    status: still ? "failed" : "passed",
    statusReason: still
      ? `The schedule still fails by ${told.oracle}${other}.`
      : `The schedule failed by ${before}, and does no longer.`,
    crdts: [
      {
        name: crdt.name,
        ...{ regions, regionIds: REGION_IDS.slice(0, regions), schedules: 1, events: told.eventsAfter },
        ...{ schedulesPerSecond: 0, elapsedMs, histogram: {}, sometimes: {} },
        failed: still ? { [told.oracle]: 1 } : {},
        failures: still ? [failure] : [],
      },
    ],
    files: still ? { [file]: text } : {},
  };
}

function requestOf(
  { shown, argv, outFolder, reporters, json, emitTest }: CounterexampleReplay,
  stored: ReplayFile,
  crdt: CrdtRef,
): ConvergeRequest {
  const { seed, regions, index, all } = stored;
  return {
    plan: {
      schema: "harness.plan/1",
      kind: "converge",
      ...{ seed, regions, index, crdts: [crdt], threads: 1 },
      ...(all ? { oracles: "all" } : {}),
    },
    config: { replay: shown, seed: String(seed) },
    replay: `npx harness replay ${shellQuote(shown)}`,
    ...{ argv, outFolder, reporters, json },
    ...(emitTest === undefined ? {} : { emitTest }),
  };
}
