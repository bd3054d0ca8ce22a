import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { createJudge } from "../../../../../harness/matrix/judging/judge-process.ts";
import type { JudgeOrder, ToJudge } from "../../../../../harness/matrix/judging/messages.ts";
import { StorageError } from "../../../../../harness/storage-error.ts";
import type { Supervisor } from "../../../../../harness/supervisor/parent.ts";

class FakeChild extends EventEmitter {
  connected = true;
  stderr = Object.assign(new EventEmitter(), { setEncoding: () => this.stderr });
  readonly told: ToJudge[] = [];
  killed = false;
  send(message: ToJudge): void {
    this.told.push(message);
  }
  kill(): void {
    this.killed = true;
  }
  die(words: string): void {
    this.stderr.emit("data", words);
    this.connected = false;
    this.emit("exit", 1, null);
  }
}

function judgeUnderTest() {
  const children: FakeChild[] = [];
  const judge = createJudge({} as Supervisor, () => {
    const child = new FakeChild();
    children.push(child);
    return child as unknown as ChildProcess;
  });
  return { judge, children };
}

const order: JudgeOrder = {
  folder: "/cell",
  header: { schema: "harness.history/1", runId: "r", startedAt: "", startedAtMonotonicNs: "0" },
};

describe("the process that judges", () => {
  test("is started when it is first asked, and answers each order", async () => {
    const { judge, children } = judgeUnderTest();
    expect(children).toHaveLength(0);
    const [first, second] = [judge.judge(order), judge.judge(order)];
    const [child] = children;
    const [one, two] = child!.told;
    const outcome = { verdict: "held", reason: "It held.", checks: [], findings: [], durationMs: 1 };
    child!.emit("message", { id: two!.id, judgement: { outcome, sound: true } });
    child!.emit("message", { id: one!.id });
    expect(await second).toEqual({ outcome, sound: true });
    expect(await first).toBeUndefined();
    expect(children).toHaveLength(1);
    judge.close();
    expect(child!.killed).toBe(true);
  });

  test("what it could not do, and what it could not write, are told apart", async () => {
    const { judge, children } = judgeUnderTest();
    const [first, second] = [judge.judge(order), judge.judge(order)];
    const [one, two] = children[0]!.told;
    children[0]!.emit("message", { id: one!.id, error: { message: "no plan", storage: false } });
    children[0]!.emit("message", { id: two!.id, error: { message: "no space", storage: true } });
    await expect(first).rejects.toThrow("no plan");
    await expect(first).rejects.not.toBeInstanceOf(StorageError);
    await expect(second).rejects.toBeInstanceOf(StorageError);
  });

  test("when it ends, whoever waits is told its last words, and the next order has a new one", async () => {
    const { judge, children } = judgeUnderTest();
    const lost = judge.judge(order);
    children[0]!.die("out of memory\n");
    await expect(lost).rejects.toThrow("The process that judges cells ended: out of memory");
    const next = judge.judge(order);
    expect(children).toHaveLength(2);
    children[1]!.emit("message", { id: children[1]!.told[0]!.id });
    await next;
  });
});
