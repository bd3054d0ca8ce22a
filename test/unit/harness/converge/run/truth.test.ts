import { describe, expect, test } from "vitest";
import { Truth } from "../../../../../harness/converge/run/truth.ts";

/** A truth with two cells, 70 operations long, so that masks take three words. */
function make(): Truth {
  const truth = new Truth(2, 70, 2, 1);
  truth.begin(70, Int32Array.from([0, 0]));
  return truth;
}

const write = (truth: Truth, region: number): number => {
  const operation = truth.add(region, 0, 0);
  truth.dominatesSeen(operation, truth.effects, 0);
  truth.hasEffect(operation, 0);
  truth.learnOne(region, operation);
  return operation;
};

const live = (truth: Truth, region: number): number[] =>
  Array.from({ length: truth.count }, (_, operation) => operation).filter(
    (operation) => (truth.liveWord(region, 0, operation >>> 5) & (1 << (operation & 31))) !== 0,
  );

describe("the ground truth", () => {
  test("a write that saw another dominates it, one that did not stands beside it", () => {
    const truth = make();
    const first = write(truth, 0);
    truth.learn(1, truth.known, 0);
    const second = write(truth, 0);
    const concurrent = write(truth, 1);
    expect(live(truth, 0)).toEqual([second]);
    expect(live(truth, 1)).toEqual([concurrent]);
    truth.learn(1, truth.known, 0);
    expect(live(truth, 1)).toEqual([second, concurrent]);
    expect(truth.saw(second, first)).toBe(true);
    expect(truth.saw(concurrent, second)).toBe(false);
  });

  test("works across words: the 31st, 32nd and 65th operation", () => {
    const truth = make();
    for (let count = 0; count < 66; count++) write(truth, 0);
    expect(live(truth, 0)).toEqual([65]);
    truth.learn(1, truth.known, 0);
    expect(truth.knows(1, 31) && truth.knows(1, 32) && truth.knows(1, 65)).toBe(true);
    expect(live(truth, 1)).toEqual([65]);
  });

  test("counts a delta once however often it is learnt", () => {
    const truth = make();
    const operation = truth.add(0, 1, 5);
    truth.learnOne(0, operation);
    truth.learn(1, truth.known, 0);
    truth.learn(1, truth.known, 0);
    expect(truth.sum(1, 1)).toBe(5);
  });

  test("holds back what lacks its causes until they come", () => {
    const truth = make();
    const first = write(truth, 0);
    const second = write(truth, 0);
    const only = (operation: number) => Int32Array.from([1 << operation, 0, 0]);
    truth.learnBuffered(1, only(second), 0);
    expect(truth.knows(1, second)).toBe(false);
    truth.learnBuffered(1, only(first), 0);
    expect(truth.knows(1, second)).toBe(true);
  });

  test("loses what waited when it is told so", () => {
    const truth = make();
    write(truth, 0);
    const second = write(truth, 0);
    truth.learnBuffered(1, Int32Array.from([1 << second, 0, 0]), 0);
    expect(truth.forgetPending(1)).toBe(true);
    expect(truth.forgetPending(1)).toBe(false);
    expect(truth.covers(1, truth.received, truth.words)).toBe(true);
  });

  test("knows the closed part of a knowledge with gaps", () => {
    const truth = make();
    const first = write(truth, 0);
    const second = write(truth, 0);
    const third = write(truth, 0);
    truth.learn(1, Int32Array.from([(1 << first) | (1 << third), 0, 0]), 0);
    expect(truth.isClosed(1)).toBe(false);
    expect(Array.from(truth.closedPart(1))).toEqual([1 << first, 0, 0]);
    truth.learn(1, Int32Array.from([1 << second, 0, 0]), 0);
    expect(truth.isClosed(1)).toBe(true);
  });
});
