import { describe, expect, test } from "vitest";
import type { Candidate } from "../../../../../harness/converge/exhaustive/alphabet.ts";
import { estimateSearch } from "../../../../../harness/converge/exhaustive/estimate.ts";
import { isLeast } from "../../../../../harness/converge/exhaustive/least-naming.ts";
import { isNormal, nameRegions } from "../../../../../harness/converge/exhaustive/normal-form.ts";
import { type ExhaustiveOptions, Search, searchPart } from "../../../../../harness/converge/exhaustive/search.ts";
import { documentAdapter } from "../../../../fixtures/converge/document.ts";

const options: ExhaustiveOptions = { regions: 3, depth: 3, symmetry: true, alphabet: "standard", all: false };
const whole = (changed: Partial<ExhaustiveOptions> = {}) =>
  searchPart(documentAdapter(), { ...options, ...changed, part: 0, parts: 1 });

describe("an exhaustive search", () => {
  test("runs the empty schedule and every single event once", () => {
    // set, increment, add, remove, four clock steps, four sends, restart: 13 in each of 3 regions.
    expect(whole({ depth: 1, symmetry: false }).schedules).toBe(1 + 39);
    expect(whole({ depth: 1 }).schedules).toBe(1 + 11);
  });

  test("with the full alphabet, more keys and elements, decrements, deletions, losses and links too", () => {
    // 2 x (set, delete, add, remove), increment, decrement, four clock steps, four sends, restart, amnesia, one link.
    expect(whole({ depth: 1, symmetry: false, alphabet: "full" })).toMatchObject({ schedules: 1 + 63, failed: {} });
    expect(whole({ depth: 2, alphabet: "full" })).toMatchObject({ failed: {} });
  });

  test("is the same whatever number of parts it is dealt to", () => {
    const parts = Array.from({ length: 5 }, (_, part) => searchPart(documentAdapter(), { ...options, part, parts: 5 }));
    const sum = (of: (report: (typeof parts)[number]) => number) =>
      parts.reduce((total, report) => total + of(report), 0);
    const all = whole();
    expect(sum(({ schedules }) => schedules)).toBe(all.schedules);
    expect(sum(({ prunedOrders }) => prunedOrders)).toBe(all.prunedOrders);
    expect(sum(({ prunedNames }) => prunedNames)).toBe(all.prunedNames);
  });

  test("in slices is the same as in one go", () => {
    const search = new Search(documentAdapter(), { ...options, part: 0, parts: 1 });
    let slices = 1;
    let asked = 0;
    while (!search.advance(() => ++asked % 100 === 0)) slices++;
    expect(slices).toBeGreaterThan(10);
    expect(search.report()).toEqual(whole());
  });

  test("finds what takes four events, and says how many failed", () => {
    const { codec: _, ...adapter } = documentAdapter("no-tombstone");
    const mistaken = searchPart(adapter, { ...options, regions: 2, depth: 4, part: 0, parts: 1 });
    expect(mistaken.failed).toEqual({ RESURRECTED: 2 });
    expect(mistaken.failures).toHaveLength(2);
  });

  test("its size is guessed beforehand, and the guess is near", () => {
    const { schedules } = whole({ depth: 3 });
    const guess = estimateSearch(documentAdapter(), { ...options, depth: 3 });
    expect(guess.schedules / schedules).toBeGreaterThan(0.7);
    expect(guess.schedules / schedules).toBeLessThan(1.4);
  });
});

/**
 * A small world of its own, to count by brute force: regions act, send to each other and receive. Events are named by
 * region, what they do, and for messages sender and number; two orders are the same when each can be made from the
 * other by swapping neighbours that touch different regions, unless one sends what the other receives.
 */
interface Event extends Candidate {
  /** Sender and number of the message that is sent or received. */
  name: string;
}
const REGIONS = 3;

function nextEvents(past: readonly Event[]): Event[] {
  const events: Event[] = [];
  const sends = past.filter(({ name }) => name.startsWith("send"));
  const make = (region: number, name: string, mentions = -1, message = -1): Event => ({
    event: [0, 0, 0, 0],
    what: ["act", "sen", "rec"].indexOf(name.slice(0, 3)),
    region,
    mentions,
    message,
    isGlobal: false,
    name,
  });
  for (let region = 0; region < REGIONS; region++) {
    events.push(make(region, "act"));
    const number = sends.filter((send) => send.region === region).length;
    for (let to = 0; to < REGIONS; to++) if (to !== region) events.push(make(region, `send ${region}.${number}`, to));
  }
  sends.forEach((send, message) => {
    const name = send.name.replace("send", "receive");
    if (!past.some((event) => event.name === name)) events.push(make(send.mentions, name, -1, message));
  });
  return events;
}

const messagesIn = (events: readonly Event[]) => events.filter(({ name }) => name.startsWith("send")).length;

function countNormal(depth: number, symmetry: boolean): number {
  const visit = (past: readonly Event[], named: number): number => {
    if (past.length === depth) return 1;
    const asPast = past.map((candidate, at) => ({ candidate, messagesBefore: messagesIn(past.slice(0, at)) }));
    let count = 0;
    for (const event of nextEvents(past)) {
      const after = symmetry ? nameRegions(named, event) : 0;
      const whole = [...asPast, { candidate: event, messagesBefore: messagesIn(past) }];
      if (after < 0 || !isNormal(asPast, event) || (symmetry && !isLeast(whole, after))) continue;
      count += visit([...past, event], after);
    }
    return count;
  };
  return visit([], 0);
}

/** The classes of all schedules of a length, each told by its least member under reordering (and renaming). */
function countClasses(depth: number, symmetry: boolean): number {
  const classes = new Set<string>();
  const visit = (past: readonly Event[]): void => {
    if (past.length < depth) for (const event of nextEvents(past)) visit([...past, event]);
    else classes.add(symmetry ? leastName(past) : keyOf(past));
  };
  visit([]);
  return classes.size;
}

/** Every region's own events in their order say which class a schedule is in. */
const keyOf = (past: readonly Event[], rename = (region: number) => region): string =>
  Array.from({ length: REGIONS }, (_, region) =>
    past
      .filter((event) => rename(event.region) === region)
      .map(
        ({ name, mentions }) =>
          name.replace(/\d(?=\.)/, (own) => String(rename(Number(own)))) + (mentions < 0 ? "" : `>${rename(mentions)}`),
      )
      .join(),
  ).join(";");

const PERMUTATIONS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];
const leastName = (past: readonly Event[]): string =>
  PERMUTATIONS.map((to) => keyOf(past, (region) => to[region]!)).sort()[0]!;

describe("pruning, against counting by brute force", () => {
  test.each([1, 2, 3, 4])("keeps exactly one order of each class of depth %i", (depth) => {
    expect(countNormal(depth, false)).toBe(countClasses(depth, false));
  });

  test.each([1, 2, 3, 4])("keeps exactly one order and naming of each class of depth %i", (depth) => {
    expect(countNormal(depth, true)).toBe(countClasses(depth, true));
  });
});
