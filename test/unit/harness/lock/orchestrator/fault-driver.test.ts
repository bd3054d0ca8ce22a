import { describe, expect, test } from "vitest";
import type { PlannedFault } from "../../../../../harness/contracts/fault.ts";
import type { CommandWatch, FaultDefinition, FaultNetwork } from "../../../../../harness/faults/fault.ts";
import type { Journal, JournalEntry } from "../../../../../harness/lock/journal.ts";
import { driveFaults } from "../../../../../harness/lock/orchestrator/fault-driver.ts";
import type { RunningTopology } from "../../../../../harness/redis/topologies/topology.ts";

const topology: RunningTopology = {
  ...{ nodes: [], clientNodes: [], async reset() {}, async stop() {} },
  unplannedExit: new Promise(() => {}),
};
const startNs = process.hrtime.bigint();
const nowNs = () => Number(process.hrtime.bigint() - startNs);

function planned(fault: Partial<PlannedFault> & Pick<PlannedFault, "trigger">): PlannedFault {
  return { id: "f1", name: "test-fault", targets: ["worker:1"], parameters: {}, ...fault };
}

/** A driver over a fault that writes down what is done with it. */
function driver(
  faults: PlannedFault[],
  {
    injectFails,
    healFails,
    ...more
  }: { injectFails?: Error; healFails?: Error; isControl?: boolean; network?: FaultNetwork } = {},
) {
  const log: string[] = [];
  const events: JournalEntry[] = [];
  const journal: Journal = {
    now: nowNs,
    record(entry) {
      events.push(entry);
      log.push(`${entry.outcome} ${(entry.detail as { id: string }).id}${entry.error ? `: ${entry.error}` : ""}`);
    },
    recordSpelled() {},
    flush() {},
    close() {},
  };
  const definition: FaultDefinition = {
    ...{ name: "test-fault", group: "worker", summary: "", parameters: {}, targets: ["worker"], lasts: true },
    look: { colour: "worker", pattern: "solid" },
    async inject() {
      if (injectFails) throw injectFails;
      return {
        injectedAtNs: process.hrtime.bigint(),
        async heal() {
          if (healFails) throw healFails;
          return process.hrtime.bigint();
        },
      };
    },
  };
  const abort = new AbortController();
  const driven = driveFaults({
    ...{ faults, journal, startNs, roundMs: 60, signal: abort.signal },
    definitionOf: () => definition,
    field: { nodes: [], topology, workers: [], network: more.network },
    isControl: more.isControl ?? false,
  });
  return { driven, log, events, abort };
}

test("a fault at a time is injected then, and healed after its duration", async () => {
  const { driven, log, events } = driver([planned({ trigger: { kind: "at", atMs: 5 }, forMs: 10 })]);
  const loadStart = nowNs();
  driven.start(loadStart);
  await driven.allOver();
  expect(log).toEqual(["inject f1", "heal f1"]);
  const [inject, heal] = events;
  expect(inject!.atNs! - loadStart).toBeGreaterThanOrEqual(3e6);
  expect(heal!.atNs! - inject!.atNs!).toBeGreaterThanOrEqual(8e6);
});

test("a fault at 0 is in force before the load starts and lasts to its end", async () => {
  const { driven, log } = driver([planned({ trigger: { kind: "at", atMs: 0 } })]);
  await driven.injectInitial();
  expect(log).toEqual(["inject f1"]);
  expect(driven.active()).toEqual(["test-fault"]);
  driven.start(nowNs());
  await driven.allOver();
  expect(log).toEqual(["inject f1", "heal f1"]);
  expect(driven.active()).toEqual([]);
});

test("a fault on an event waits for it; its worker counts and stops itself", async () => {
  const fault = planned({ trigger: { kind: "on", event: "grant", nth: 3, afterMs: 0 }, forMs: 1, name: "worker-stop" });
  const { driven, log } = driver([fault]);
  expect(driven.triggersFor(1)).toEqual([{ faultId: "f1", event: "grant", nth: 3, stopHere: true }]);
  expect(driven.triggersFor(2)).toEqual([]);
  driven.start(nowNs());
  expect(driven.triggered({ faultId: "f1", event: "grant", atNs: 1, stopsHere: false })).toBe(true);
  await driven.allOver();
  expect(log).toEqual(["inject f1", "heal f1"]);
  expect(driven.triggered({ faultId: "f1", event: "grant", atNs: 2, stopsHere: false })).toBe(false);
});

test("aimed at a node, the events of all workers are counted together", async () => {
  const fault = planned({ targets: ["node:1"], trigger: { kind: "on", event: "grant", nth: 2, afterMs: 0 }, forMs: 1 });
  const { driven, log } = driver([fault]);
  expect(driven.triggersFor(4)).toEqual([{ faultId: "f1", event: "grant", nth: 0, stopHere: false }]);
  driven.start(nowNs());
  driven.triggered({ faultId: "f1", event: "grant", atNs: 1, stopsHere: false });
  expect(log).toEqual([]);
  driven.triggered({ faultId: "f1", event: "grant", atNs: 2, stopsHere: false });
  await driven.allOver();
  expect(log).toEqual(["inject f1", "heal f1"]);
});

test("an event that never comes, a failed injection and a failed healing are all written down", async () => {
  const never = driver([planned({ trigger: { kind: "on", event: "extend", nth: 1, afterMs: 0 } })]);
  never.driven.start(nowNs());
  await never.driven.allOver();
  expect(never.log).toEqual(["inject f1: the event that it waits for never came"]);

  const fault = planned({ trigger: { kind: "at", atMs: 1 }, forMs: 1 });
  const failing = driver([fault], { injectFails: new Error("no such process") });
  failing.driven.start(nowNs());
  await failing.driven.allOver();
  expect(failing.log).toEqual(["inject f1: no such process"]);

  const unhealed = driver([fault], { healFails: new Error("does not answer") });
  unhealed.driven.start(nowNs());
  await unhealed.driven.allOver();
  expect(unhealed.log).toEqual(["inject f1", "heal f1: does not answer"]);
});

test("an abort heals what is in force and starts nothing more", async () => {
  const { driven, log, abort } = driver([
    planned({ trigger: { kind: "at", atMs: 0 } }),
    planned({ id: "f2", trigger: { kind: "at", atMs: 50 }, forMs: 5 }),
  ]);
  await driven.injectInitial();
  driven.start(nowNs());
  abort.abort();
  await driven.allOver();
  await driven.healAll();
  expect(log).toEqual(["inject f1", "heal f1"]);
});

describe("a fault that waits for a command", () => {
  /** A network on which a command comes when told. */
  function watchedNetwork() {
    const log: string[] = [];
    const watches: (CommandWatch & { come(): void })[] = [];
    const network: FaultNetwork = {
      setFault: async () => ({ atNs: 0n }),
      clearFault: async () => ({ atNs: 0n }),
      async onCommand(id, watch, come) {
        watches.push({ ...watch, come });
        return async () => {
          log.push(`${id} ended`);
        };
      },
    };
    return { log, watches, network };
  }
  const onSet = { kind: "on", event: "command", nth: 2, afterMs: 0, command: "SET NX", keyPattern: "lock:*" } as const;

  test("is in force before the client learns of it", async () => {
    const { log: ends, watches, network } = watchedNetwork();
    const { driven, log } = driver([planned({ trigger: onSet, targets: ["worker:2"], forMs: 1 })], { network });
    await driven.injectInitial();
    expect(watches).toEqual([
      expect.objectContaining({ command: "SET NX", key: "lock:*", nth: 2, targets: ["worker:2"], holds: true }),
    ]);
    driven.start(nowNs());
    expect(ends).toEqual([]);
    watches[0]!.come();
    await driven.allOver();
    expect(log).toEqual(["inject f1", "heal f1"]);
    expect(ends).toEqual(["f1-watch1 ended"]);
  });

  test("counts for each worker apart, and on a link or node for all of it", async () => {
    const { watches, network } = watchedNetwork();
    const targets = [["worker:1", "worker:2"], ["node:3"], ["client:1-node:2"], ["node:2-node:1"], ["run"]];
    const faults = targets.map((each, index) => planned({ id: `f${index}`, trigger: onSet, targets: each }));
    await driver(faults, { network }).driven.injectInitial();
    expect(watches.map((watch) => watch.targets)).toEqual([
      ["worker:1"],
      ["worker:2"],
      ["node:3"],
      ["client:1-node:2"],
      [],
      [],
    ]);
  });

  test("that never comes is a failure, but not where nothing is locked; its watch ends", async () => {
    for (const isControl of [false, true]) {
      const { log: ends, network } = watchedNetwork();
      const { driven, log } = driver([planned({ trigger: onSet })], { network, isControl });
      await driven.injectInitial();
      driven.start(nowNs());
      await driven.allOver();
      expect(log).toEqual(isControl ? [] : ["inject f1: the event that it waits for never came"]);
      expect(ends).toEqual(["f1-watch1 ended"]);
    }
  });
});
