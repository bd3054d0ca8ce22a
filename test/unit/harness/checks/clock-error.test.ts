import { describe, expect, test } from "vitest";
import { runChecks } from "../../../../harness/checks/registry.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { execution, runOf, worker } from "./hand-written.ts";

/** Worker 2 is on another host, and its times may be wrong by so many ms. */
const remote = (boundMs: number) =>
  worker(5_000, "clock", { worker: 2, detail: { boundNs: boundMs * 1e6, offsetNs: 123 } });
const found = (events: HistoryEvent[], check: string) =>
  runChecks(runOf(events)).findings.filter((finding) => finding.check === check);

/** Worker 1 releases at 500; worker 2 is granted by its clock so many ms before that, and released later. */
const handover = (earlierMs: number) => [
  ...execution({ worker: 1, acquire: [0, 10], effect: [400, 410], ack: [420, 430], release: [500, 510] }),
  ...execution({
    ...{ worker: 2, job: "j2", acquire: [450 - earlierMs, 500 - earlierMs] },
    ...{ effect: [800, 810], ack: [820, 830], release: [900, 910] },
  }),
];

describe("a clock that may be wrong", () => {
  test("makes no overlap that is shorter than its bound", () => {
    expect(found(handover(30), "exclusion")).toHaveLength(1);
    expect(found([...handover(30), remote(31)], "exclusion")).toEqual([]);
    expect(found([...handover(30), remote(31)], "linearizability")).toEqual([]);
  });

  test("hides no overlap that is longer: what is certain of it is found", () => {
    const [finding] = found([...handover(100), remote(31)], "exclusion");
    expect(finding?.message).toContain("both held k1 for 69 ms");
    expect(found([...handover(100), remote(31)], "linearizability")).toHaveLength(1);
  });

  test("that is sure within nothing is one of this machine", () => {
    expect(found([...handover(30), remote(0)], "exclusion")).toEqual(found(handover(30), "exclusion"));
  });

  test("does not make a token go backwards", () => {
    const grant = (who: number, job: string, at: number, fencingToken: number) =>
      execution({
        worker: who,
        job,
        acquire: [at, at + 10, { fencingToken, token: job }],
        release: [at + 15, at + 18],
      });
    const events = [...grant(1, "j1", 100, 1), ...grant(2, "j2", 60, 2)];
    expect(found(events, "fencing")).toHaveLength(1);
    expect(found([...events, remote(50)], "fencing")).toEqual([]);
    expect(found([...events, remote(5)], "fencing")).toHaveLength(1);
  });

  test("does not make two executions of a job work at the same time", () => {
    const events = [
      ...execution({ worker: 1, acquire: [0, 10], effect: [400, 410], ack: [420, 430], release: [500, 510] }),
      ...execution({ worker: 2, attempt: 2, acquire: [395, 400], effect: [800, 810], release: [900, 910] }),
    ];
    expect(found(events, "duplicates")[0]?.class).toBe("concurrent");
    expect(found([...events, remote(20)], "duplicates")[0]?.class).toBe("sequential");
  });
});
