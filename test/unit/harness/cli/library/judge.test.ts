import { describe, expect, test } from "vitest";
import { judgeConvergence, judgeHold } from "../../../../../harness/cli/library/judge.ts";
import { convergeResult, failedConvergeResult, zooResult } from "../../../../fixtures/results/converge-result.ts";
import { lockResult, overlapFinding } from "../../../../fixtures/results/lock-result.ts";
import { matrixResult } from "../../../../fixtures/results/matrix-result.ts";

describe("a lock", () => {
  test("that held, where the control shows that it could have failed", () => {
    const { verdict, message } = judgeHold(lockResult());
    expect(verdict).toBe("yes");
    expect(message).toContain("set-nx held.");
  });

  test("that broke: the finding, its evidence, and the way to see it again", () => {
    const { verdict, message } = judgeHold(lockResult({ status: "failed", findings: [overlapFinding()] }));
    expect(verdict).toBe("no");
    expect(message).toMatch(/did not hold/);
    expect(message).toContain("exclusion");
    expect(message).toMatch(/\+\d+.* ms +worker/);
    expect(message).toContain("Again:   npx harness lock");
  });

  test("one of several is judged by its own findings", () => {
    const finding = { ...overlapFinding(), arm: "my-lock" };
    const result = lockResult({ status: "failed", locks: ["set-nx", "my-lock"], findings: [finding] });
    expect(judgeHold(result, "my-lock").verdict).toBe("no");
    expect(judgeHold(result, "set-nx").verdict).toBe("yes");
    expect(judgeHold(result, "setnx")).toMatchObject({ verdict: "unknown" });
    expect(judgeHold(result, "setnx").message).toContain('"setnx" was not under test; there was set-nx, my-lock');
  });

  test("a run without faults, without power or cut short shows nothing", () => {
    expect(judgeHold(lockResult({ faults: false })).message).toContain("measures cost");
    for (const result of [lockResult({ faults: false }), lockResult({ status: "unknown" })]) {
      expect(judgeHold(result).verdict).toBe("unknown");
      expect(judgeHold(result, "set-nx").verdict).toBe("unknown");
    }
    expect(judgeHold(lockResult({ status: "interrupted" })).verdict).toBe("unknown");
  });

  test("duplicates that any lock has do not count against it", () => {
    const inherent = { ...overlapFinding(), check: "duplicates", class: "inherent", inherent: true };
    expect(judgeHold(lockResult({ findings: [inherent] })).verdict).toBe("yes");
  });
});

test("a matrix: broken cells with their reason, none where it is not known", () => {
  const result = matrixResult();
  const bad = result.cells.find(({ verdict }) => verdict === "broke")!;
  expect(judgeHold(result)).toMatchObject({ verdict: "no" });
  expect(judgeHold(result, bad.lock).message).toContain(`${bad.lock} in ${bad.scenario}`);
  const held = { ...result, cells: result.cells.filter(({ verdict }) => verdict === "held") };
  expect(judgeHold(held).verdict).toBe("yes");
  const open = { ...held, cells: [...held.cells, { ...bad, verdict: "unknown" as const }] };
  expect(judgeHold(open).verdict).toBe("unknown");
  expect(judgeHold({ ...held, cells: [] }).verdict).toBe("unknown");
});

describe("replicas", () => {
  test("that converged", () => {
    expect(judgeConvergence(convergeResult()).verdict).toBe("yes");
    expect(judgeConvergence(convergeResult(), "nothing").verdict).toBe("unknown");
  });

  test("that did not: the shrunk counterexample", () => {
    const result = failedConvergeResult();
    const { verdict, message } = judgeConvergence(result);
    const failure = result.crdts.flatMap(({ failures }) => failures)[0]!;
    expect(verdict).toBe("no");
    expect(message).toContain(failure.oracle);
    expect(message).toContain(`Again: ${failure.replay}`);
    expect(message).toContain("Expected at");
  });

  test("one of several is judged by its own failures", () => {
    const failed = failedConvergeResult();
    const result = {
      ...failed,
      crdts: [...failed.crdts, ...convergeResult().crdts.map((crdt) => ({ ...crdt, name: "mine" }))],
    };
    expect(judgeConvergence(result, "mine").verdict).toBe("yes");
    expect(judgeConvergence({ ...result, status: "interrupted" }, "mine").verdict).toBe("unknown");
    expect(judgeConvergence(result).verdict).toBe("no");
  });

  test("a zoo is no proof of convergence", () => {
    expect(judgeConvergence(zooResult()).verdict).toBe("unknown");
  });
});
