import { expect, test } from "vitest";
import { plainCapabilities } from "../../../../harness/matrix/cell.ts";
import { planOfCell } from "../../../../harness/matrix/cell-plan.ts";
import { killHolder } from "../../../../workloads/scenarios/kill-holder.ts";
import { overrunRelease } from "../../../../workloads/scenarios/overrun-release.ts";
import { releaseRacesRenewal } from "../../../../workloads/scenarios/release-races-renewal.ts";
import { cellOf, lockOf, workloads } from "../../harness/matrix/matrix-under-test.ts";

const withCapabilities = (over: Partial<typeof plainCapabilities>) =>
  lockOf("a", { capabilities: { ...plainCapabilities, ...over } });

test("worker 2 stands still before the first job where what its lock asks passes no proxy", () => {
  const { rounds } = planOfCell(cellOf(withCapabilities({ usesRedis: false }), killHolder), workloads);
  const { faults, arrivals } = rounds[0]!;
  const stop = faults.find(({ name }) => name === "worker-stop");
  expect(stop).toMatchObject({ targets: ["worker:2"], trigger: { kind: "at" } });
  const atMs = stop?.trigger.kind === "at" ? stop.trigger.atMs : Number.NaN;
  const firstMs = Math.min(...arrivals.map(({ atUs }) => atUs / 1_000));
  expect(firstMs).toBeGreaterThan(atMs);
  expect(firstMs).toBeLessThan(atMs + (stop?.forMs ?? 0));
  const onRedis = planOfCell(cellOf(lockOf("a"), killHolder), workloads);
  expect(onRedis.rounds[0]?.faults.map(({ name }) => name)).toEqual(["latency", "worker-kill"]);
});

test("nobody holds beside a late holder whose lock never ends by itself", () => {
  expect(overrunRelease.notApplicable?.(withCapabilities({ lease: "never" }))).toMatch(/no end of their own/);
  expect(overrunRelease.notApplicable?.(withCapabilities({}))).toBeUndefined();
});

test("a lock on several nodes has fewer holds, of which nine in ten must have come about", () => {
  const planFor = (nodes: number) =>
    planOfCell(cellOf(withCapabilities({ nodes, renewal: "auto" }), releaseRacesRenewal), workloads);
  const [one, five] = [planFor(1), planFor(5)];
  const held = (count: number) => ({
    ...{ arm: "a", round: 1 },
    events: Array.from({ length: count }, (_, atNs) => ({
      ...({ atNs, round: 1, arm: "a", worker: 1, op: "release", phase: "invoke" } as const),
    })),
  });
  const [condition] = releaseRacesRenewal.reach;
  expect(condition?.reached(held(540), five)).toBe(true);
  expect(condition?.reached(held(539), five)).toBe(false);
  expect(condition?.reached(held(540), one)).toBe(false);
  expect(condition?.reached(held(1_800), one)).toBe(true);
});
