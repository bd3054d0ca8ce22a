import { describe, expect, test } from "vitest";
import { EVENT_KINDS, eventCount, HEADER, KIND, STRIDE } from "../../../../../harness/converge/plan/event.ts";
import { Generator, type GeneratorOptions } from "../../../../../harness/converge/plan/generate.ts";

const options: GeneratorOptions = { seed: 7, minEvents: 40, maxEvents: 80, pools: 32, kinds: new Set(EVENT_KINDS) };

describe("schedules", () => {
  test("are the same for the same seed and index, whatever was made before", () => {
    const one = new Generator(options);
    for (let index = 0; index < 50; index++) one.generate(index);
    const late = Array.from(one.generate(1_000_000));
    expect(Array.from(new Generator(options).generate(1_000_000))).toEqual(late);
  });

  test("differ by index and by seed, in all 53 bits of both", () => {
    const texts = [0, 1, 2 ** 32, 2 ** 52].flatMap((index) =>
      [0, 1, 2 ** 32, 2 ** 52].map((seed) => new Generator({ ...options, seed }).generate(index).join()),
    );
    expect(new Set(texts).size).toBe(16);
  });

  test("have between the least and the most events, and only kinds that are possible", () => {
    const generator = new Generator({ ...options, kinds: new Set(["operation", "send", "deliver"]) });
    const lengths = new Set<number>();
    const kinds = new Set<number>();
    for (let index = 0; index < 500; index++) {
      const schedule = generator.generate(index);
      lengths.add(eventCount(schedule));
      for (let at = HEADER; at < schedule.length; at += STRIDE) kinds.add(schedule[at]!);
    }
    expect(Math.min(...lengths)).toBe(40);
    expect(Math.max(...lengths)).toBe(80);
    expect([...kinds].sort()).toEqual([KIND.operation, KIND.send, KIND.deliver].sort());
  });

  test("hold every kind", () => {
    const kinds = new Set<number>();
    const generator = new Generator(options);
    for (let index = 0; index < 500; index++) {
      const schedule = generator.generate(index);
      for (let at = HEADER; at < schedule.length; at += STRIDE) kinds.add(schedule[at]!);
    }
    expect(kinds.size).toBe(EVENT_KINDS.length);
  });
});
