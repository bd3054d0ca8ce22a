import type { Scenario } from "../../../../harness/contracts/scenario.ts";
import {
  type Cell,
  type MatrixLock,
  type MatrixWorkloads,
  plainCapabilities,
} from "../../../../harness/matrix/cell.ts";

export function lockOf(name: string, over: Partial<MatrixLock> = {}): MatrixLock {
  return {
    name,
    text: name,
    summary: name,
    family: "own",
    capabilities: plainCapabilities,
    module: { name, path: `/${name}.js`, options: {} },
    ...over,
  };
}

export function scenarioOf(name: string, over: Partial<Scenario> = {}): Scenario {
  return {
    name,
    summary: `${name} happens`,
    correctLock: "It holds",
    plan: () => ({
      workers: 2,
      ttlMs: 1_000,
      visibilityMs: 100,
      load: { jobs: [{ key: "k1", atMs: 10, forMs: 50 }] },
      faults: "worker-stop(on=grant, target=worker:any, for=500ms)",
      roundMs: 2_000,
    }),
    reach: [],
    ...over,
  };
}

export const workloads: MatrixWorkloads = {
  scenarios: "/scenarios.js",
  queue: (name) => ({
    module: { name, path: `/${name}.js` },
    ack: name === "bullmq" ? ["after"] : ["inside", "after"],
  }),
  job: (name) => ({ name, path: `/${name}.js`, needsFencing: name === "invoice" }),
};

export function cellOf(lock: MatrixLock, scenario: Scenario, over: Partial<Cell> = {}): Cell {
  return { id: `${lock.name}~${scenario.name}~1`, lock, scenario, repeat: 1, seed: 7, ...over };
}
