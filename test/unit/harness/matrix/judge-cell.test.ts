import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import type { Scenario } from "../../../../harness/contracts/scenario.ts";
import { judgeCell, LATE_MS, latest, withoutTimed } from "../../../../harness/matrix/judge-cell.ts";
import { armOf, type ExecutionScript, event, execution, type Line, planOf } from "../checks/hand-written.ts";
import { scenarioOf } from "./matrix-under-test.ts";

const plan = planOf({ arms: [armOf("set-nx", "lock")] });
const milestones: Line[] = [
  [0, "round", "info", { outcome: "load-start" }],
  [5_000, "round", "info", { outcome: "load-end" }],
  [5_001, "round", "info", { outcome: "healed" }],
  [5_002, "round", "info", { outcome: "drained" }],
];
const arrival = (job: string): Line[] => [
  [1, "arrive", "invoke", { job, key: "k1", detail: { plannedAtNs: 1e6 } }],
  [2, "arrive", "ok", { job, key: "k1" }],
];
const good: ExecutionScript = {
  worker: 1,
  deliver: 10,
  acquire: [11, 12, { token: "t1" }],
  effect: [100, 101],
  ack: [102, 103],
  release: [104, 105],
};
/** Past the first one's TTL of 1 s, and while it still believes. */
const overlong: ExecutionScript[] = [
  { ...good, effect: [1_600, 1_601], ack: [1_602, 1_603], release: [1_604] },
  {
    ...good,
    worker: 2,
    job: "j2",
    acquire: [1_100, 1_101, { token: "t2" }],
    effect: [1_200, 1_201],
    ack: [1_202, 1_203],
    release: [1_204, 1_205],
  },
];

function judge(
  executions: readonly ExecutionScript[],
  { scenario = scenarioOf("s"), fenced = false, more = [] as Line[], jobs = ["j1", "j2"] } = {},
) {
  const lines = [...milestones, ...jobs.slice(0, executions.length || 1).flatMap(arrival), ...more];
  const events: HistoryEvent[] = [...lines.map((line) => event(line)), ...executions.flatMap(execution)];
  events.sort((a, b) => a.atNs - b.atNs);
  return judgeCell({ plan, scenario, armRounds: [{ arm: "set-nx", round: 1, events }], fenced, durationMs: 1 });
}

const reach = (reached: boolean): Scenario["reach"] => [{ name: "the sky fell", reached: () => reached }];

describe("the faults beside what was found", () => {
  const faulty = (name: string, target: string, [fromMs, toMs]: [number, number]): Line[] =>
    (["inject", "heal"] as const).map((action, index) => [
      index === 0 ? fromMs : toMs,
      "fault",
      "info",
      { detail: { id: name, name, target, params: {}, plannedAtMs: null, action } },
    ]);
  const more = [
    ...faulty("worker-stop", "worker:1", [200, 1_500]),
    ...faulty("latency", "client:1-node:1", [0, 10_000]),
  ];

  test("are those of the round, but for what lasts for nearly all of it", () => {
    expect(judge(overlong, { more }).faults).toEqual([
      { name: "worker-stop", target: "worker:1", fromNs: 200e6, toNs: 1_500e6 },
    ]);
  });

  test("are left out where nothing was found", () => {
    expect(judge([good], { more })).not.toHaveProperty("faults");
  });
});

describe("the verdict of a cell", () => {
  test("held: nothing was found, and the scenario came about", () => {
    expect(judge([good], { scenario: scenarioOf("s", { reach: reach(true) }) })).toMatchObject({
      verdict: "held",
      checks: [],
      findings: [],
    });
  });

  test("unknown, and never held, when the scenario did not come about", () => {
    expect(judge([good], { scenario: scenarioOf("s", { reach: reach(false) }) })).toMatchObject({
      verdict: "unknown",
      reason: "Not reached: the sky fell.",
    });
  });

  test("broke: what was found stays found, reached or not", () => {
    const outcome = judge(overlong, { scenario: scenarioOf("s", { reach: reach(false) }) });
    expect(outcome).toMatchObject({ verdict: "broke", checks: ["exclusion", "late effects"] });
    expect(outcome.reason).toMatch(/^exclusion \(expired hold\): .* Also: late effects\.$/);
  });

  test("what the scenario itself brings about says nothing against a lock", () => {
    const premises = [
      { check: "exclusion", class: "expired hold", why: "on purpose" },
      { check: "late effects", class: "after the promise", why: "on purpose" },
    ];
    expect(judge(overlong, { scenario: scenarioOf("s", { premises }) }).verdict).toBe("held");
  });

  test("an expired hold is harmless where every write is fenced", () => {
    expect(judge(overlong, { fenced: true }).verdict).toBe("held");
  });

  test("hung: an operation that never came back, and what follows from it", () => {
    const never: ExecutionScript = { worker: 1, deliver: 10 };
    const outcome = judge([never], {
      more: [
        [
          11,
          "acquire",
          "invoke",
          { worker: 1, incarnation: 1, job: "j1", key: "k1", attempt: 1, execution: "j1/1@1.1" },
        ],
        [9_000, "round", "info", { outcome: "gave-up" }],
      ],
    });
    expect(outcome).toMatchObject({ verdict: "hung", checks: ["hang", "lost work"] });
    expect(outcome.reason).toMatch(/^hang \(acquire\): .* Also: lost work\.$/);
  });

  test("unknown when a fault could not be injected", () => {
    const failed: Line = [
      50,
      "fault",
      "info",
      { error: "no such node", detail: { name: "redis-kill", id: "f1", action: "inject" } },
    ];
    expect(judge([good], { more: [failed] })).toMatchObject({
      verdict: "unknown",
      reason: "The fault redis-kill could not be injected or healed: no such node.",
    });
  });
});

describe("what is left of a cell for which the machine was too busy", () => {
  test("that one was granted what another held, inside its time; not what depends on time alone", () => {
    const finding = (check: string, kind: string) => ({
      ...{ check, class: kind, arm: "a", count: 1, message: `${check} broke.`, evidence: [] },
    });
    const findings = [finding("exclusion", "broken promise"), finding("liveness", "no grant")];
    const outcome = {
      verdict: "broke",
      reason: "",
      checks: ["exclusion", "liveness"],
      findings,
      durationMs: 1,
    } as const;
    expect(withoutTimed(outcome, "Late.")).toMatchObject({ verdict: "broke", checks: ["exclusion"] });
    expect(withoutTimed({ ...outcome, findings: findings.slice(1) }, "Late.")).toMatchObject({
      ...{ verdict: "unknown", checks: [], findings: [] },
      reason: "Late. With few others beside it, too.",
    });
  });
});

describe("was the machine too busy?", () => {
  const round = (lines: Line[]) => [
    { arm: "set-nx", round: 1, events: [...milestones, ...lines].map((line) => event(line)) },
  ];
  const fault = (atMs: number, plannedAtMs: number | null): Line => [
    atMs,
    "fault",
    "info",
    { detail: { name: "redis-pause", id: "f1", action: "inject", plannedAtMs } },
  ];

  test("a fault or a job that came late says so, the latest of them", () => {
    expect(latest(round([fault(1_000 + LATE_MS + 1, 1_000)]), plan)).toMatch(/redis-pause came 151 ms late/);
    expect(latest(round([[900, "arrive", "invoke", { job: "j1", detail: { plannedAtNs: 100e6 } }]]), plan)).toMatch(
      /j1 came 800 ms late/,
    );
  });

  test("a trace that was read late, by the server's own time, says so", () => {
    const command = (atMs: number, serverMs: number): Line => [
      atMs,
      "trace",
      "info",
      { detail: { kind: "command", node: 1, serverMs: 1_700_000_000_000 + serverMs, command: "SET" } },
    ];
    expect(latest(round([command(100, 99), command(1_200, 400)]), plan)).toMatch(/read up to 799 ms late/);
    expect(latest(round([command(100, 99), command(500, 400)]), plan)).toBeUndefined();
  });

  test("not: a little late, in force from the start, or on an event", () => {
    expect(latest(round([fault(1_000 + LATE_MS - 1, 1_000)]), plan)).toBeUndefined();
    expect(latest(round([fault(900, null)]), plan)).toBeUndefined();
    expect(latest(round([fault(900, 0)]), plan)).toBeUndefined();
  });
});
