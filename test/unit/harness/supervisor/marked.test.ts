import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { markedProcesses, RUN_ID_VARIABLE } from "../../../../harness/supervisor/marked.ts";

it.runIf(process.platform === "linux")("finds the processes of exactly this run", async () => {
  const runId = `marked-test-${process.pid}`;
  const start = (id: string) => spawn("sleep", ["60"], { env: { ...process.env, [RUN_ID_VARIABLE]: id } });
  const children = [start(runId), start(`${runId}0`)];
  try {
    await Promise.all(children.map((child) => once(child, "spawn")));
    expect(markedProcesses(runId).map(({ pid }) => pid)).toEqual([children[0]!.pid]);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
  expect(markedProcesses(runId)).toEqual([]);
});
