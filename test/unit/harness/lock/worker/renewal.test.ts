import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ExtendOutcome, Lock } from "../../../../../harness/contracts/lock-adapter.ts";
import { renewByHand } from "../../../../../harness/lock/worker/renewal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Renews every 100 ms under a TTL of 250 ms; extend gives one outcome after the other, then goes on with the last. */
function renewing(...outcomes: (ExtendOutcome | Promise<ExtendOutcome>)[]) {
  const log: string[] = [];
  const start = Date.now();
  let calls = 0;
  const renewal = renewByHand({
    lock: {
      extend: async () => {
        calls += 1;
        return outcomes[Math.min(calls, outcomes.length) - 1]!;
      },
    } as unknown as Lock,
    path: "/my-lock.ts",
    breach: ({ message }) => log.push(message),
    key: "k",
    token: "t",
    ttlMs: 250,
    everyMs: 100,
    leasedAtNs: 0,
    nowNs: () => (Date.now() - start) * 1e6,
    wallMs: () => 7,
    record: ({ op, phase, outcome }) => log.push(`${Date.now() - start} ${op} ${phase}${outcome ? ` ${outcome}` : ""}`),
    onLost: (reason) => log.push(`${Date.now() - start} lost: ${reason}`),
  });
  return { log, renewal };
}

const extended: ExtendOutcome = { outcome: "extended" };
const failed: ExtendOutcome = { outcome: "failed", error: new Error("no") };

describe("a lock that its user renews", () => {
  test("is renewed every so often until it is stopped", async () => {
    const { log, renewal } = renewing(extended);
    await vi.advanceTimersByTimeAsync(350);
    renewal.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log).toEqual([
      "100 extend invoke",
      "100 extend ok extended",
      "200 extend invoke",
      "200 extend ok extended",
      "300 extend invoke",
      "300 extend ok extended",
    ]);
  });

  test("is lost at once when another has it", async () => {
    const { log } = renewing(extended, { outcome: "not-owner" });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(log.slice(-2)).toEqual(["200 extend fail not-owner", "200 lost: another has the lock, or nobody"]);
  });

  test("after an error is tried again at the next turn", async () => {
    const { log, renewal } = renewing(failed, extended);
    await vi.advanceTimersByTimeAsync(400);
    renewal.stop();
    expect(log.slice(0, 4)).toEqual([
      "100 extend invoke",
      "100 extend fail failed",
      "200 extend invoke",
      "200 extend ok extended",
    ]);
    expect(log.join()).not.toContain("lost");
  });

  test("is lost when the lease ends without one that succeeded, counted from the last call that did", async () => {
    const { log } = renewing(extended, { outcome: "unknown", error: new Error("no answer") });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(log.at(-1)).toBe("350 lost: not renewed before its lease ended");
    expect(log).toContain("200 extend info unknown");
  });

  test("is lost then, too, while an extension hangs", async () => {
    const { log } = renewing(new Promise<ExtendOutcome>(() => {}));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(log).toEqual(["100 extend invoke", "250 lost: not renewed before its lease ended"]);
  });
});
