import { describe, expect, it } from "vitest";
import {
  convergeHeadline,
  convergeSetting,
  counterexamplesOf,
  neverMet,
  oraclesOf,
  priceSentences,
  shrunkText,
} from "../../../../reports/converge/summary.ts";
import {
  convergeResult,
  failedConvergeResult,
  lostUpdate,
  zooResult,
} from "../../../fixtures/results/converge-result.ts";

describe("the words of a convergence result", () => {
  it("say what held, what broke and what got away", () => {
    expect(convergeHeadline(convergeResult())).toBe("document converged in all of 214,300 schedules.");
    expect(convergeHeadline(failedConvergeResult())).toContain(
      "row-lww broke: LOST-UPDATE (7,204 schedules), CAUSALITY (311).",
    );
    expect(convergeHeadline(zooResult())).toContain(
      "3 of 4 broken implementations were found out; broken/collects-by-age got away.",
    );
  });

  it("say whom a write waits for, where that is the price of having no conflict", () => {
    const result = convergeResult();
    const [crdt] = result.crdts;
    if (crdt === undefined) throw new Error("the fixture has a data type");
    expect(priceSentences(result)).toEqual([]);
    const priced = { ...crdt, name: "consensus", writesWaitFor: "a majority: a round trip" };
    expect(priceSentences({ ...result, crdts: [priced] })).toEqual([
      "consensus has its price in latency. A write waits for a majority: a round trip.",
    ]);
  });

  it("say once what no data type met", () => {
    expect(neverMet(failedConvergeResult())).toEqual([
      "document and row-lww: it never happened that a collection ran during a partition. The result says nothing about that.",
    ]);
    expect(neverMet(zooResult())).toEqual([]);
  });

  it("name the oracles by how often they found something, and count the rest", () => {
    const [, crdt] = failedConvergeResult().crdts;
    if (crdt === undefined) throw new Error("the fixture has two data types");
    expect(oraclesOf(crdt, 1)).toBe("LOST-UPDATE (7,204 schedules), 1 more");
  });
});

describe("counterexamples", () => {
  it("of different oracles come before more of the same", () => {
    const [crdt] = convergeResult().crdts;
    if (crdt === undefined) throw new Error("the fixture has a data type");
    const failures = ["A", "A", "B", "A", "C"].map((oracle, index) => ({ ...lostUpdate(), oracle, index }));
    const order = counterexamplesOf([{ ...crdt, failures }]).map(({ failure }) => `${failure.oracle}${failure.index}`);
    expect(order).toEqual(["A0", "B2", "C4", "A1", "A3"]);
  });
});

describe("who ran a campaign", () => {
  const shard = { shard: "1/3", id: "one", durationMs: 1, cpu: "x", cores: 2 };

  it("is said by threads where it was one process", () => {
    expect(convergeSetting(convergeResult())).toContain("2 threads");
  });

  it("is said by shards and agents, and not by their threads", () => {
    const merged = { ...convergeResult(), shards: [shard, { ...shard, id: "two" }, { ...shard, id: "three" }] };
    expect(convergeSetting(merged)).toContain("merged from 3 shards");
    expect(convergeSetting(merged)).not.toContain("thread");
    const byAgents = { ...merged, shards: ["a", "b", "a"].map((id) => ({ ...shard, id, attempts: 1 })) };
    expect(convergeSetting(byAgents)).toContain("3 shards on 2 agents");
  });
});

it("a counterexample that was not shrunk to its end says so", () => {
  const failure = lostUpdate();
  expect(shrunkText(failure)).toBe("58 events shrunk to 6");
  expect(shrunkText({ ...failure, shrinkingCutShort: true })).toBe(
    "58 events shrunk to 6, where shrinking was cut short",
  );
  expect(shrunkText({ ...failure, eventsAfter: 58, shrinkingCutShort: true })).toBe(
    "58 events, not shrunk: there was no time left",
  );
});
