import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readTriggers } from "../../../../../harness/lock/orchestrator/trigger-pipe.ts";

const line = (faultId: string, stopsHere: boolean) =>
  `${JSON.stringify({ faultId, event: "grant", atNs: 1, stopsHere })}\n`;
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a worker that stops itself is passed on only once it is stopped", async () => {
  const stream = new PassThrough();
  const seen: string[] = [];
  let stopped = () => {};
  const untilStopped = () =>
    new Promise<void>((resolve) => {
      stopped = resolve;
    });
  readTriggers(stream, { untilStopped, onTrigger: ({ faultId }) => void seen.push(faultId) });
  stream.write(line("stops", true) + line("goes on", false));
  await turn();
  expect(seen).toEqual(["goes on"]);
  stopped();
  await turn();
  expect(seen).toEqual(["goes on", "stops"]);
});

test("one that is gone is passed on all the same; a line may come in pieces", async () => {
  const stream = new PassThrough();
  const seen: string[] = [];
  const untilStopped = () => Promise.reject(new Error("process 7 is gone"));
  readTriggers(stream, { untilStopped, onTrigger: ({ faultId }) => void seen.push(faultId) });
  const text = line("gone", true);
  stream.write(text.slice(0, 12));
  await turn();
  expect(seen).toEqual([]);
  stream.write(text.slice(12));
  await turn();
  await turn();
  expect(seen).toEqual(["gone"]);
});
