import { expect, test } from "vitest";
import { UsageError } from "../../../../../harness/errors.ts";
import { expandFaults } from "../../../../../harness/faults/plan-language/expand.ts";
import { readFaultPlan, understandEntries } from "../../../../../harness/faults/plan-language/fault-plan.ts";
import { parseStructured } from "../../../../../harness/faults/plan-language/plan-file.ts";
import { randomStream } from "../../../../../harness/random-stream.ts";
import { descriptions } from "./descriptions.ts";

const context = {
  faults: descriptions,
  topology: "single" as const,
  counts: { nodes: 3, workers: 4 },
  roundMs: 20_000,
  rounds: 1,
};
const stream = (entry: number) => randomStream(1, entry);
const inFile = (text: string) =>
  expandFaults(understandEntries(parseStructured({ name: "plan.yaml", text }), context), context, stream);
const inText = (text: string) => expandFaults(readFaultPlan({ name: "x", text }, context), context, stream);

const meant = inText(
  'jitter(base=0.2ms, p99=1.5ms), redis-pause(every=6s, for=2s, target=node:1+node:2), worker-kill(on=command(SET, "lock:*"), nth=3)',
);

test.each([
  [
    "a list of maps under faults",
    `faults:
  - { name: jitter, base: 0.2ms, p99: 1.5ms }
  - name: redis-pause
    every: 6s
    for: 2s
    target: [node:1, "node:2"]
  - name: worker-kill
    on: command(SET, "lock:*")
    nth: 3
`,
  ],
  [
    "a list of texts and maps at the top",
    `- jitter(base=0.2ms, p99=1.5ms), redis-pause(every=6s, for=2s, target=node:1+node:2)
- name: worker-kill
  on: 'command(SET, "lock:*")'
  nth: 3
`,
  ],
  [
    "one text",
    `faults: |
  jitter(base=0.2ms, p99=1.5ms)   # always
  redis-pause(every=6s, for=2s, target=node:1+node:2)
  worker-kill(on=command(SET, "lock:*"), nth=3)
`,
  ],
  [
    "JSON",
    JSON.stringify([
      { name: "jitter", base: "0.2ms", p99: "1.5ms" },
      { name: "redis-pause", every: "6s", for: "2s", target: ["node:1", "node:2"] },
      { name: "worker-kill", on: 'command(SET, "lock:*")', nth: 3 },
    ]),
  ],
])("%s means the same as the text", (_, text) => {
  expect(inFile(text)).toEqual(meant);
});

test("an empty file is no fault", () => {
  expect(inFile("")).toEqual([]);
  expect(inFile("faults: []")).toEqual([]);
});

test.each([
  [
    "faults:\n  - name: redis-puase\n    for: 2s\n",
    'plan.yaml:2:11: there is no fault "redis-puase". Did you mean "redis-pause"?',
  ],
  ["faults:\n  - name: redis-pause\n    for: 2\n", 'plan.yaml:3:10: "2" has no unit'],
  ["faults:\n  - name: redis-pause\n    fro: 2s\n", 'plan.yaml:3:5: redis-pause has no parameter "fro"'],
  ["faults:\n  - for: 2s\n  - worker-kill\n", "plan.yaml:2:5: this fault has no name."],
  ["faults:\n  - worker-kill(at=1)\n  - worker-kill\n", 'plan.yaml:2:20: "1" has no unit'],
  ["faults:\n  - [a, b]\n", "expected a fault: a text"],
  ["faults:\n  - name: redis-pause\n    for:\n", "for has no value"],
  ["plan:\n  - x\n", "expected a list of faults, or a map with one under `faults`"],
  ["faults: [\n", "plan.yaml:2:1: it is neither YAML nor JSON"],
  ["42", "expected a list of faults"],
])("%j is refused with its place", (text, message) => {
  expect(() => inFile(text)).toThrow(message);
  expect(() => inFile(text)).toThrow(UsageError);
});
