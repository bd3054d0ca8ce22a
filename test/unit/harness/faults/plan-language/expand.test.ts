import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlannedFault } from "../../../../../harness/contracts/fault.ts";
import { UsageError } from "../../../../../harness/errors.ts";
import { expandFaults } from "../../../../../harness/faults/plan-language/expand.ts";
import { type PlanContext, readFaultPlan } from "../../../../../harness/faults/plan-language/fault-plan.ts";
import { formatFaults } from "../../../../../harness/faults/plan-language/format.ts";
import { randomStream } from "../../../../../harness/random-stream.ts";
import { descriptions } from "./descriptions.ts";

const context: PlanContext = {
  faults: descriptions,
  topology: "single",
  counts: { nodes: 3, workers: 4, sentinels: 0 },
  roundMs: 20_000,
  rounds: 3,
};

const explicit = (
  text: string,
  { seed = 1, ...changed }: Partial<PlanContext> & { seed?: number } = {},
): PlannedFault[] => {
  const used = { ...context, ...changed };
  const plan = readFaultPlan({ name: "--faults", text }, used);
  return expandFaults(plan, used, (entry) => randomStream(seed, "faults", 1, entry));
};

const messageOf = (text: string, changed?: Partial<PlanContext>): string => {
  try {
    explicit(text, changed);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`${text} was accepted`);
};

describe("a plan becomes explicit", () => {
  test("the example of the documentation", () => {
    const faults = explicit(
      "jitter(base=0.2ms, p99=1.5ms), redis-pause(every=6s, for=2s, target=node:1), " +
        "worker-stop(on=grant, nth=3, target=worker:1, for=1.5s), worker-clock(target=worker:2, offset=+60s)",
    );
    expect(faults).toEqual([
      {
        id: "f1",
        name: "latency",
        targets: ["node:1", "node:2", "node:3"],
        parameters: { base: 0.2, p99: 1.5, direction: "replies" },
        trigger: { kind: "at", atMs: 0 },
        forMs: 20_000,
      },
      {
        id: "f2",
        name: "worker-clock",
        targets: ["worker:2"],
        parameters: { offset: 60_000 },
        trigger: { kind: "at", atMs: 0 },
        forMs: 20_000,
      },
      ...[6_000, 12_000, 18_000].map((atMs, index) => ({
        id: `f${index + 3}`,
        name: "redis-pause",
        targets: ["node:1"],
        parameters: {},
        trigger: { kind: "at", atMs },
        forMs: 2_000,
      })),
      {
        id: "f6",
        name: "worker-stop",
        targets: ["worker:1"],
        parameters: {},
        trigger: { kind: "on", event: "grant", nth: 3, afterMs: 0 },
        forMs: 1_500,
      },
    ]);
  });

  test("only whole windows of a repeated fault are planned", () => {
    const starts = explicit("redis-pause(at=1s, every=10s, for=10s)").map(({ trigger }) => trigger);
    expect(starts).toEqual([{ kind: "at", atMs: 1_000 }]);
  });

  test("events, commands and key patterns", () => {
    const [fault] = explicit('worker-kill(on=command(set, "lock:{a,b}*"), nth=2, after=5ms, target=worker:3)');
    expect(fault?.trigger).toEqual({
      kind: "on",
      event: "command",
      command: "SET",
      keyPattern: "lock:{a,b}*",
      nth: 2,
      afterMs: 5,
    });
    expect(fault).not.toHaveProperty("forMs");
  });

  test("a parameter of the fault goes before the word of the language", () => {
    const [fault] = explicit("reset-after-apply(command=SET, nth=4)");
    expect(fault?.parameters).toEqual({ command: "SET", key: "*", nth: 4, probability: 1 });
    expect(fault?.trigger).toEqual({ kind: "at", atMs: 0 });
  });

  test("targets: several, all, links, and what is meant when nothing is said", () => {
    expect(explicit("worker-stop(for=1s, target=worker:1+worker:3)")[0]?.targets).toEqual(["worker:1", "worker:3"]);
    expect(explicit("worker-stop(for=1s, target=worker:all)")[0]?.targets).toHaveLength(4);
    expect(explicit("bandwidth(rate=64KB/s, target=client:all-node:2)")[0]?.targets).toEqual([
      "client:1-node:2",
      "client:2-node:2",
      "client:3-node:2",
      "client:4-node:2",
    ]);
    expect(explicit("bandwidth(rate=64KB/s)")[0]?.targets).toHaveLength(12);
    expect(explicit("bandwidth(rate=64KB/s, target=node:all-node:all)")[0]?.targets).toEqual([
      "node:1-node:2",
      "node:1-node:3",
      "node:2-node:3",
    ]);
    expect(explicit("redis-pause(for=1s)")[0]?.targets).toEqual(["node:1", "node:2", "node:3"]);
    expect(explicit("worker-stop(for=1s)")[0]?.targets).toHaveLength(1);
  });

  test("ranges of targets", () => {
    expect(explicit("worker-stop(for=1s, target=worker:2..4)")[0]?.targets).toEqual([
      "worker:2",
      "worker:3",
      "worker:4",
    ]);
    expect(explicit("bandwidth(rate=1KB/s, target=client:1..2-node:2..3)")[0]?.targets).toEqual([
      "client:1-node:2",
      "client:1-node:3",
      "client:2-node:2",
      "client:2-node:3",
    ]);
  });

  test("a partition between two sets of processes is aimed at the links between them", () => {
    const [one, other] = explicit("partition(a=client:1..2, b=node:1), partition(a=node:2+node:3, b=client:all)");
    expect(one?.targets).toEqual(["client:1-node:1", "client:2-node:1"]);
    expect(one?.parameters).toEqual({ a: "client:1+client:2", b: "node:1" });
    expect(other?.targets).toHaveLength(8);
    expect(other?.targets[0]).toBe("client:1-node:2");
  });

  test("worker:any is drawn from the seed, and keeps out of the way of the same fault", () => {
    const draws = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => explicit("worker-kill(at=1s)", { seed })[0]?.targets[0]);
    expect(new Set(draws).size).toBeGreaterThan(1);
    for (let seed = 1; seed < 30; seed += 1) {
      const text =
        "worker-stop(at=1s, for=3s), worker-stop(at=2s, for=3s, target=worker:2), worker-stop(at=3s, for=3s)";
      expect(new Set(explicit(text, { seed }).flatMap(({ targets }) => targets)).size).toBe(3);
    }
    expect(explicit("worker-stop(at=1s, for=3s, target=worker:any+worker:any)")[0]?.targets).toHaveLength(2);
  });

  test("changing one entry leaves the draws of the others as they are", () => {
    const [, second] = explicit("worker-kill(at=1s), worker-stop(at=2s, for=1s)");
    const [, alike] = explicit("worker-kill(at=1s, target=worker:1), worker-stop(at=2s, for=1s)");
    expect(alike).toEqual(second);
  });

  test("profiles scale with the round and may stand among faults", () => {
    for (const roundMs of [4_000, 5_000, 9_999, 60_000]) {
      const faults = explicit("article", { roundMs, counts: { nodes: 1, workers: 4 } });
      const pauses = faults.filter(({ name }) => name === "redis-pause");
      const stops = faults.filter(({ name }) => name === "worker-stop");
      expect(pauses.length).toBe(Math.max(1, Math.floor(roundMs / 5_000)));
      expect(pauses.every(({ forMs }) => forMs === 2_000)).toBe(true);
      expect(stops.length).toBe(pauses.length);
      expect(faults.filter(({ name }) => name === "worker-clock")).toHaveLength(1);
    }
    expect(explicit("none")).toEqual([]);
    expect(explicit("gentle, worker-kill(at=1s)").some(({ name }) => name === "worker-kill")).toBe(true);
    expect(readFaultPlan({ name: "--faults", text: " article " }, context).profile).toBe("article");
    expect(readFaultPlan({ name: "--faults", text: "article, worker-kill(at=1s)" }, context)).not.toHaveProperty(
      "profile",
    );
  });

  test.each(["harsh", "gentle", "incident"])(
    "the profile %s fits its shortest round, for any number of workers from 2",
    (name) => {
      for (const roundMs of [2_000, 3_000, 5_000]) {
        if (name === "harsh" && roundMs < 5_000) continue;
        if (name === "incident" && roundMs < 3_000) continue;
        expect(explicit(name, { roundMs, counts: { nodes: 1, workers: 2 } }).length).toBeGreaterThan(0);
      }
    },
  );
});

describe("random plans", () => {
  test("are drawn from the seed, fit, do not overlap, and print as explicit ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 500, max: 30_000 }), (seed, roundMs) => {
        const faults = explicit("random(faults=6)", { seed, roundMs });
        expect(faults).toHaveLength(6);
        expect(explicit("random(faults=6)", { seed, roundMs })).toEqual(faults);
        for (const { trigger, forMs = 0 } of faults) {
          expect(trigger.kind).toBe("at");
          if (trigger.kind === "at") expect(trigger.atMs + forMs).toBeLessThanOrEqual(roundMs);
        }
        const printed = formatFaults(faults, descriptions);
        expect(printed).not.toMatch(/random|any/);
        expect(explicit(printed, { roundMs })).toEqual(faults);
      }),
      { numRuns: 60 },
    );
  });

  test("hit no server and no process before it is back from the fault before", () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const faults = explicit("random(faults=8)", { seed, roundMs: 30_000 });
      for (const group of ["redis-", "worker-"]) {
        const ours = faults.filter(({ name }) => name.startsWith(group));
        for (const one of ours) {
          for (const other of ours) {
            if (one === other || one.targets[0] !== other.targets[0]) continue;
            const [a, b] = [one, other].map(({ trigger }) => (trigger.kind === "at" ? trigger.atMs : 0)) as [
              number,
              number,
            ];
            expect(a < b ? a + (one.forMs ?? 0) + 500 <= b : b + (other.forMs ?? 0) + 500 <= a).toBe(true);
          }
        }
      }
    }
  });

  test("leave out what the topology has not, or what would hurt others", () => {
    const names = (changed: Partial<PlanContext>) =>
      new Set(
        Array.from({ length: 60 }, (_, seed) => explicit("random(faults=3)", { seed, ...changed })).flatMap((faults) =>
          faults.map(({ name }) => name),
        ),
      );
    expect(names({}).has("redis-failover")).toBe(false);
    expect(names({ topology: "replicated" }).has("redis-failover")).toBe(true);
    expect(names({ sparesServers: true }).has("redis-pause")).toBe(false);
    expect(names({}).has("redis-pause")).toBe(true);
  });

  test("may be limited to some faults and to a length", () => {
    const faults = explicit("random(faults=20, of=worker-stop+redis-pause, longest=100ms)");
    expect(new Set(faults.map(({ name }) => name))).toEqual(new Set(["worker-stop", "redis-pause"]));
    expect(Math.max(...faults.map(({ forMs = 0 }) => forMs))).toBeLessThanOrEqual(100);
  });

  test("what cannot be drawn or found is refused", () => {
    expect(messageOf("random(of=reset-after-apply)")).toContain("cannot be drawn; write it out");
    expect(messageOf("random(of=worker-stp)")).toContain('Did you mean "worker-stop"?');
    expect(messageOf("random(fault=2)")).toContain('Did you mean "faults"?');
    expect(messageOf("random(faults=40, of=worker-stop, longest=5s)", { roundMs: 5_000 })).toContain(
      "find no room in a round",
    );
  });
});

describe("bad plans are refused, pointing at the piece", () => {
  test("the place is marked under the line", () => {
    expect(messageOf("jitter(base=0.2ms), redis-puase(for=2s)")).toBe(
      '--faults: there is no fault "redis-puase". Did you mean "redis-pause"?\n' +
        "  jitter(base=0.2ms), redis-puase(for=2s)\n" +
        "                      ^^^^^^^^^^^",
    );
  });

  test("in a plan of several lines, the line is named", () => {
    expect(messageOf("# faults\nredis-pause(at=1s,\n  fro=2s)")).toBe(
      '--faults:3:3: redis-pause has no parameter "fro". Did you mean "for"?\n    fro=2s)\n    ^^^',
    );
  });

  test("a long line is cropped around the piece", () => {
    const message = messageOf(`${"worker-kill(at=1s), ".repeat(20)}worker-kil(at=2s)`);
    const [, line = "", pointer = ""] = message.split("\n");
    expect(line.length).toBeLessThanOrEqual(102);
    expect(line.slice(pointer.indexOf("^"), pointer.lastIndexOf("^") + 1)).toBe("worker-kil");
  });

  test.each([
    ["article(for=2s)", 'there is no fault "article"'],
    ["article, none", "none stands for no faults, and article is one: leave one of them out"],
    ["none, redis-pause(at=1s, for=1s)", "none stands for no faults, and redis-pause is one: leave one of them out"],
    ["jitter(base=5ms, p99=1ms)", "p99= must not be less than base=, which is 5ms"],
    ["jitter(base=1ms, spread=1ms, p99=2ms)", "p99= and spread= say the same thing twice"],
    ["redis-pause(for=2)", '"2" has no unit'],
    ["redis-pause(for=0s)", "it must be longer than 0"],
    ["redis-pause(2s)", '"2s" has no name; write redis-pause(name=value)'],
    ["redis-pause(for=2s", "this parenthesis is not closed"],
    ["redis-pause(for=)", "for has no value"],
    ["redis-pause(for=2s, for=3s)", "for is given twice"],
    ["redis-pause(for=2s) worker-kill", "expected a comma"],
    ["redis-pause(for=2s); worker-kill", "expected a comma"],
    ["7up", "expected the name of a fault"],
    ['reset-after-apply(command="SET)', "this quote is not closed"],
    ["worker-kill(for=2s)", "worker-kill happens at one instant and takes no for="],
    ["jitter", "latency needs base=: Least delay."],
    ["jitter(base=61s)", "61s is too great: the most is 60s."],
    ["jitter(base=1ms, direction=reply)", 'Did you mean "replies"?'],
    ["worker-stop(on=grant, at=1s)", "not both"],
    ["worker-stop(at=1s, nth=2, for=1s)", "nth= and after= count from an event"],
    ["worker-stop(on=grand, for=1s)", 'there is no event "grand". Did you mean "grant"?'],
    ["worker-stop(on=grant(x), for=1s)", "takes nothing in parentheses"],
    ["worker-stop(on=command, for=1s)", "which command?"],
    ["worker-stop(on=grant, nth=0, for=1s)", "counting starts at 1"],
    ["worker-stop(for=1s, target=worker:5)", "there is no worker:5; there is worker:1 to worker:4."],
    ["worker-stop(for=1s, target=worker:3..5)", "there is no worker:5; there is worker:1 to worker:4."],
    ["worker-stop(for=1s, target=worker:3..2)", "counts backwards; write worker:2..3."],
    ["partition(a=client:1)", "a= needs b= beside it"],
    ["partition(a=client:9, b=node:1)", "there is no client:9"],
    ["partition(a=client:any, b=node:1)", "a side is named, not drawn"],
    ["partition(a=client:1, b=nod:1)", 'Did you mean "node"?'],
    ["partition(a=client:1, b=node:1, target=node:1)", "the sides are named already: leave out target="],
    ["worker-stop(for=1s, target=worker:0)", "there is no worker:0"],
    ["worker-stop(for=1s, target=worker)", "does not say which; write worker:1, worker:any or worker:all"],
    ["worker-stop(for=1s, target=wroker:1)", 'Did you mean "worker"?'],
    ["worker-stop(for=1s, target=2)", '"2" is no target. Write worker:1.'],
    ["worker-stop(for=1s, target=node:1)", 'worker-stop is aimed at worker:1, not at "node:1"'],
    ["redis-pause(for=1s, target=client:1-node:1)", "redis-pause is aimed at node:1"],
    ["bandwidth(rate=64KB)", '"64KB" is no data rate'],
  ])("%s", (text, message) => {
    const shown = messageOf(text);
    expect(shown).toContain(message);
    expect(shown).toMatch(/\n {2}.*\n *\^+$/);
  });

  test("what takes another topology, or would hurt others", () => {
    expect(messageOf("redis-failover(for=1s)")).toContain(
      "redis-failover takes another topology than single: replicated or sentinel.",
    );
    expect(explicit("redis-failover(for=1s)", { topology: "replicated" })[0]?.targets).toEqual(["node:1"]);
    expect(messageOf("redis-pause(for=1s)", { sparesServers: true })).toContain("--allow-faults-on-external");
    expect(explicit("worker-stop(for=1s)", { sparesServers: true })).toHaveLength(1);
  });

  test("what does not fit into a round, with the shortest duration that fits", () => {
    expect(messageOf("redis-pause(at=19s, for=2s)")).toContain(
      "redis-pause does not fit into a round of 20s: it needs 21s. The shortest --duration that fits 3 rounds is 63s.",
    );
    expect(messageOf("redis-pause(every=30s, for=2s)")).toContain("fits 3 rounds is 96s");
    expect(messageOf("worker-stop(on=grant, after=1s, for=20s)")).toContain("it needs 21s");
    expect(messageOf("worker-kill(at=20s)")).toContain("does not fit into a round of 20s");
    expect(messageOf("article", { roundMs: 3_000 })).toContain("The shortest --duration that fits 3 rounds is 12s.");
  });

  test("overlaps: same fault, same target, intersecting windows", () => {
    expect(messageOf("redis-pause(at=1s, for=2s), redis-pause(at=2.5s, for=1s, target=node:2)")).toContain(
      "redis-pause overlaps another redis-pause: node:2 has it already between 2.5s and 3.5s.",
    );
    expect(messageOf("redis-pause(at=1s, every=2s, for=3s)")).toContain("overlaps");
    expect(messageOf("worker-kill(at=1s, target=worker:1), worker-kill(at=1s, target=worker:1)")).toContain("at 1s");
    expect(
      messageOf("worker-stop(on=grant, for=1s, target=worker:1), worker-stop(on=grant, for=2s, target=worker:1)"),
    ).toContain("on this event already");
    // These do not: other targets, windows that only touch, other faults.
    explicit("redis-pause(at=1s, for=2s, target=node:1), redis-pause(at=1s, for=2s, target=node:2)");
    explicit("redis-pause(at=1s, for=2s), redis-pause(at=3s, for=1s)");
    explicit("redis-pause(at=1s, for=2s), worker-stop(at=1s, for=2s)");
  });
});

describe("what is printed reads back as the same plan", () => {
  const times = fc.integer({ min: 0, max: 9_000 }).map((ms) => ms / 4);
  const trigger = fc.oneof(
    times.map((atMs) => ({ kind: "at" as const, atMs })),
    fc.record({
      kind: fc.constant("on" as const),
      event: fc.constantFrom("grant" as const, "extend" as const, "release" as const, "effect" as const),
      nth: fc.integer({ min: 1, max: 9 }),
      afterMs: times,
    }),
    fc.record({
      kind: fc.constant("on" as const),
      event: fc.constant("command" as const),
      nth: fc.integer({ min: 1, max: 9 }),
      afterMs: times,
      command: fc.constantFrom("SET", "EVALSHA"),
      keyPattern: fc.string({ minLength: 1, unit: "grapheme-ascii" }),
    }),
  );
  const shape = fc.oneof(
    fc.record({
      name: fc.constant("reset-after-apply"),
      targets: fc.constantFrom(["node:1"], ["node:2", "node:3"]),
      parameters: fc.record({
        command: fc.string({ unit: "grapheme" }),
        key: fc.string({ unit: "grapheme-ascii" }),
        nth: fc.integer({ min: 1, max: 100 }),
        probability: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value || 0),
      }),
    }),
    fc.record({
      name: fc.constant("latency"),
      targets: fc.constantFrom(["client:1-node:3"], ["client:2"], ["node:1", "node:2", "node:3"]),
      parameters: fc.record({
        base: fc.double({ min: 0, max: 60_000, noNaN: true }).map((value) => value || 0),
        direction: fc.constantFrom("replies", "requests", "both"),
      }),
    }),
    fc.record({
      name: fc.constant("bandwidth"),
      targets: fc.subarray(
        [1, 2, 3, 4].flatMap((client) => [1, 2, 3].map((node) => `client:${client}-node:${node}`)),
        { minLength: 1 },
      ),
      parameters: fc.record({ rate: fc.integer({ min: 1, max: 1e9 }) }),
    }),
    fc.constant({
      name: "partition",
      targets: ["client:1-node:1", "client:1-node:3", "client:2-node:1", "client:2-node:3"],
      parameters: { a: "client:1+client:2", b: "node:1+node:3" },
    }),
    fc.record({
      name: fc.constant("worker-clock"),
      targets: fc.constantFrom(["worker:1"], ["worker:4", "worker:2"]),
      parameters: fc.record({ step: fc.integer({ min: -1e6, max: 1e6 }) }),
    }),
  );
  const fault = fc.tuple(shape, trigger, fc.integer({ min: 1, max: 8_000 }));

  test("for any fault", () => {
    fc.assert(
      fc.property(fault, ([{ name, targets, parameters }, start, forMs]) => {
        const planned = [{ id: "f1", name, targets, parameters, trigger: start, forMs }] as PlannedFault[];
        // A key pattern of spaces alone is none, and the language has no parameters that are empty at both ends.
        if (start.kind === "on" && "keyPattern" in start) fc.pre(start.keyPattern.trim() === start.keyPattern);
        expect(explicit(formatFaults(planned, descriptions))).toEqual(planned);
      }),
      { numRuns: 500 },
    );
  });
});
