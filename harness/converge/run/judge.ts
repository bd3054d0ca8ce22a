import { ABSENT } from "../../contracts/crdt-adapter.ts";
import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import type { Cell, FieldGroups, Group } from "../plan/pool.ts";
import { AT } from "./coverage.ts";
import { explain } from "./explain.ts";
import type { Region } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import { asItems, readGroup, strangeKey } from "./view.ts";
import type { World } from "./world.ts";

/**
 * Looks at what a touched replica shows and compares it with what follows from the operations that it knows. Returns
 * false when the world has a failure.
 */
export function judge(world: World, region: Region): boolean {
  const { truth } = world;
  const { index } = region;
  const view = atOnce(region.replica.value(), "value", world.adapter);
  const learnt = truth.learnt[index]!;
  // An immutable view that is the same object shows the same; it was right before.
  const trusting = world.immutable && !world.deep;
  if (trusting && view === region.view && learnt === region.judgedAt) return true;
  region.view = view;
  region.judgedAt = learnt;
  if (typeof view !== "object" || view === null) {
    world.fail("CRASH", index, "value() returns an object with a property per field", show(view));
    return false;
  }
  if (world.partial && !truth.isCertain(index)) {
    region.judgeAnew();
    return true;
  }
  const { fields } = world.pool;
  for (let at = 0; at < fields.length; at++) {
    const { name, groups, isMap } = fields[at]!;
    const shown = (view as Record<string, unknown>)[name];
    const learntHere = truth.learntOf[index * truth.fields + at]!;
    const isObject = typeof shown === "object" && shown !== null;
    if (trusting && isObject && shown === region.shownFields[at] && learntHere === region.judgedFields[at]) continue;
    region.shownFields[at] = shown;
    region.judgedFields[at] = learntHere;
    for (let place = 0; place < groups.length; place++) {
      const group = groups[place]!;
      if (!judgeGroup(world, index, group, readGroup(view, shown, group))) return false;
    }
    if (isMap && !judgeMapKeys(world, index, fields[at]!, shown)) return false;
  }
  return true;
}

function judgeGroup(world: World, region: number, group: Group, shown: unknown): boolean {
  const cell = group.cells[0]!;
  if (world.partial && isSomeUnsure(world, region, group)) return true;
  switch (group.field.type) {
    case "register":
    case "map":
      return judgeRegister(world, region, cell, shown);
    case "set":
      return judgeSet(world, region, group, shown);
    case "counter":
    case "bounded-counter":
      return judgeCounter(world, region, cell, shown);
    case "list":
      return judgeList(world, region, cell, shown);
    case "unique":
      return judgeUnique(world, region, cell, shown);
  }
}

function isSomeUnsure({ truth }: World, region: number, { cells }: Group): boolean {
  for (let at = 0; at < cells.length; at++) if (truth.isUnsure(region, cells[at]!.index)) return true;
  return false;
}

function judgeRegister(world: World, region: number, cell: Cell, shown: unknown): boolean {
  const { truth, written } = world;
  const { field } = cell.group;
  const multi = (field.type === "register" || field.type === "map") && field.conflict === "multi-value";
  let found = -1;
  let count = 0;
  let right = false;
  for (let word = 0; word < truth.words; word++) {
    let live = truth.liveWord(region, cell.index, word);
    while (live !== 0) {
      const operation = word * 32 + 31 - Math.clz32(live);
      live ^= 1 << (operation & 31);
      right ||= same(shown, written[operation]);
      if (count++ === 0) found = operation;
    }
  }
  if (count > 1) noteConcurrent(world, region, cell, found);
  if (multi) return judgeMultiValue(world, region, cell, shown);
  if (count === 0) return shown === ABSENT || mismatch(world, region, cell, shown, [ABSENT]);
  return right || mismatch(world, region, cell, shown, maximalValues(world, region, cell));
}

function judgeMultiValue(world: World, region: number, cell: Cell, shown: unknown): boolean {
  const values = maximalValues(world, region, cell);
  return isAllOf(shown, values) || mismatch(world, region, cell, shown, [values.filter((value) => value !== ABSENT)]);
}

const maximalValues = (world: World, region: number, cell: Cell): unknown[] =>
  liveOperations(world, region, cell).map((operation) => world.written[operation]);

/** @param first one of the maximal writes, of which there are several */
function noteConcurrent({ truth, coverage }: World, region: number, cell: Cell, first: number): void {
  coverage.met(AT.concurrentWrites);
  const { words, stampL, stampC } = truth;
  if (stampL[first]! < 0) return;
  for (let word = 0; word < words; word++) {
    let live = truth.liveWord(region, cell.index, word);
    while (live !== 0) {
      const operation = word * 32 + 31 - Math.clz32(live);
      live ^= 1 << (operation & 31);
      if (operation === first || stampL[operation] !== stampL[first] || stampC[operation] !== stampC[first]) continue;
      coverage.met(AT.tie);
      return;
    }
  }
}

function isAllOf(shown: unknown, values: readonly unknown[]): boolean {
  const expected = values.filter((value) => value !== ABSENT);
  if (expected.length === 0) return shown === ABSENT;
  if (!Array.isArray(shown) || shown.length !== expected.length) return false;
  const rest = [...expected];
  return shown.every((value) => {
    const at = rest.findIndex((candidate) => same(candidate, value));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

function judgeMapKeys(world: World, region: number, { name, groups }: FieldGroups, shown: unknown): boolean {
  const strange = strangeKey(shown, groups);
  if (strange === undefined) return true;
  world.fail("RESURRECTED", region, `${name} shows no key but those written`, `the key ${show(strange)}`);
  return false;
}

function judgeSet(world: World, region: number, group: Group, shown: unknown): boolean {
  const { truth } = world;
  const items = asItems(shown);
  if (items === undefined) return mismatch(world, region, group.cells[0]!, shown, ["an array or a Set"]);
  const removeWins = group.field.type === "set" && group.field.conflict === "remove-wins";
  let present = 0;
  for (let index = 0; index < group.cells.length; index++) {
    const cell = group.cells[index]!;
    let adds = 0;
    let removals = 0;
    for (let word = 0; word < truth.words; word++) {
      if (removeWins) {
        adds |= truth.effects[cell.index * truth.words + word]! & truth.known[region * truth.words + word]!;
        removals |= truth.liveRemovalWord(region, cell.index, word);
      } else adds |= truth.liveWord(region, cell.index, word);
    }
    const expected = adds !== 0 && removals === 0;
    if (expected) present++;
    if (world.deep && adds !== 0) noteConcurrentRemove(world, region, cell);
    if (items.includes(cell.element) !== expected) return mismatch(world, region, cell, !expected, [expected]);
  }
  return items.length === present || judgeStrangeItems(world, region, group, items);
}

function noteConcurrentRemove({ truth, coverage }: World, region: number, cell: Cell): void {
  for (let remove = 0; remove < truth.count; remove++) {
    const isRemove = (truth.removals[cell.index * truth.words + (remove >>> 5)]! & (1 << (remove & 31))) !== 0;
    if (!isRemove || !truth.knows(region, remove)) continue;
    for (let add = 0; add < truth.count; add++) {
      const isAdd = (truth.effects[cell.index * truth.words + (add >>> 5)]! & (1 << (add & 31))) !== 0;
      if (!isAdd || !truth.knows(region, add) || truth.saw(add, remove) || truth.saw(remove, add)) continue;
      coverage.met(AT.concurrentRemove);
      return;
    }
  }
}

function judgeStrangeItems(world: World, region: number, group: Group, items: readonly unknown[]): boolean {
  const strange = items.find((item) => !group.cells.some(({ element }) => element === item));
  const expected = `${group.label} shows each element once, and only elements that were added`;
  if (strange !== undefined) world.fail("RESURRECTED", region, expected, `${show(items)}, with ${show(strange)}`);
  else world.fail("DOUBLE-COUNT", region, expected, show(items));
  return false;
}

function judgeCounter(world: World, region: number, cell: Cell, shown: unknown): boolean {
  const { truth } = world;
  const { field } = cell.group;
  const initial = (field.type === "counter" || field.type === "bounded-counter" ? field.initial : undefined) ?? 0;
  const resets = field.type === "counter" && field.resets === true;
  const sum = resets ? truth.sumOf(region, cell.index) : truth.sum(region, cell.index);
  const expected = initial + sum;
  const actual = shown === ABSENT ? 0 : typeof shown === "bigint" ? Number(shown) : shown;
  if (field.type === "bounded-counter" && typeof actual === "number" && actual < 0) {
    world.fail("NEGATIVE", region, `${cell.group.label} is never below zero`, show(actual));
    return false;
  }
  return actual === expected || mismatch(world, region, cell, shown === ABSENT ? 0 : shown, [expected]);
}

function judgeList(world: World, region: number, cell: Cell, shown: unknown): boolean {
  const items = asItems(shown);
  if (items === undefined) return mismatch(world, region, cell, shown, ["an array or a string"]);
  const { written } = world;
  const inserts = liveOperations(world, region, cell);
  if (items.length === 0 && inserts.length === 0) return true;
  const order = insertsOf(items, inserts, written);
  const isWhole = items.length === inserts.length && !order.includes(-1) && !isRepeated(order);
  if (isWhole && world.lists!.note(order)) return true;
  const expected = [inserts.map((operation) => written[operation])];
  if (isWhole) return mismatch(world, region, cell, shown, expected, { reordered: true });
  const repeated = isRepeated(order) && !order.includes(-1);
  return mismatch(world, region, cell, shown, expected, { repeated });
}

/** By item of a list, the operation that inserted it, or -1. Written without closures: it runs at every step. */
function insertsOf(items: readonly unknown[], inserts: readonly number[], written: readonly unknown[]): number[] {
  const order: number[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    let insert = -1;
    for (let candidate = 0; candidate < inserts.length && insert < 0; candidate++) {
      if (same(written[inserts[candidate]!], item)) insert = inserts[candidate]!;
    }
    order.push(insert);
  }
  return order;
}

/** Lists are short: quicker than a Set. */
function isRepeated(order: readonly number[]): boolean {
  for (let at = 1; at < order.length; at++) if (order.indexOf(order[at]!) !== at) return true;
  return false;
}

function judgeUnique(world: World, region: number, cell: Cell, shown: unknown): boolean {
  const claims = liveOperations(world, region, cell).map((operation) => world.written[operation]);
  if (claims.length === 0 ? shown === ABSENT : claims.some((claim) => same(claim, shown))) return true;
  return mismatch(world, region, cell, shown, claims.length === 0 ? [ABSENT] : claims);
}

/** The known operations of a cell that have an effect and were overruled by no other. */
export function liveOperations({ truth }: World, region: number, cell: Cell): number[] {
  const operations: number[] = [];
  for (let word = 0; word < truth.words; word++) {
    let live = truth.liveWord(region, cell.index, word);
    while (live !== 0) {
      const bit = live & -live;
      live ^= bit;
      operations.push(word * 32 + 31 - Math.clz32(bit));
    }
  }
  return operations;
}

function mismatch(
  world: World,
  region: number,
  cell: Cell,
  shown: unknown,
  expected: readonly unknown[],
  { repeated = false, reordered = false } = {},
): false {
  explain(world, region, cell, { shown, expected, repeated, reordered });
  return false;
}
