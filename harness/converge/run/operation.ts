import { ABSENT } from "../../contracts/crdt-adapter.ts";
import { DEFAULT_VALUES, type Operation, type OperationKind } from "../../contracts/crdt-fields.ts";
import type { Cell, OperationTemplate } from "../plan/pool.ts";
import type { Region } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import { asItems, readView } from "./view.ts";
import type { World } from "./world.ts";

/** Deltas of counters are powers of three, so that a sum tells which of them it holds, and how often. */
const MAX_POWER = 16;

/**
 * The operation that a template makes of the small integer `choice` where the region stands now. Undefined when there is
 * nothing to do it to.
 */
export function makeOperation(
  world: World,
  region: Region,
  template: OperationTemplate,
  choice: number,
): Operation | undefined {
  const { cell, kind, own } = template;
  if (cell === undefined) {
    const values = own!.arguments ?? [undefined];
    return operation(world, kind, own!.name, "", values[choice % values.length], "", 0, 0, "");
  }
  const { field, key } = cell.group;
  const { element } = cell;
  switch (kind) {
    case "set":
      return operation(world, kind, field.name, key, chooseValue(world, cell, choice), element, 0, 0, "");
    case "claim":
      return operation(world, kind, field.name, key, `${region.id}-${world.freshValues++}`, element, 0, 0, "");
    case "increment":
      return operation(world, kind, field.name, key, undefined, element, chooseDelta(world, cell, choice), 0, "");
    case "decrement":
      return operation(world, kind, field.name, key, undefined, element, 1 + (choice % 3), 0, "");
    case "transfer": {
      const to = (region.index + 1 + ((choice >>> 2) % (world.regions.length - 1))) % world.regions.length;
      return operation(world, kind, field.name, key, undefined, element, 1 + (choice % 3), 0, world.regions[to]!.id);
    }
    case "insert": {
      const index = choice % (shownItems(region, cell).length + 1);
      return operation(world, kind, field.name, key, freshValue(world, cell), element, 0, index, "");
    }
    case "erase": {
      const { length } = shownItems(region, cell);
      return length === 0
        ? undefined
        : operation(world, kind, field.name, key, undefined, element, 0, choice % length, "");
    }
    default:
      return operation(world, kind, field.name, key, undefined, element, 0, 0, "");
  }
}

const shownItems = (region: Region, cell: Cell): readonly unknown[] =>
  asItems(readView(region.view ?? region.replica.value(), cell.group)) ?? [];

/** The one place where operations are made, so that all have one shape. */
function operation(
  world: World,
  kind: OperationKind,
  field: string,
  key: string,
  value: unknown,
  element: string,
  amount: number,
  index: number,
  to: string,
): Operation {
  return { kind, field, key, value, element, amount, index, to, number: world.operationNumber++ };
}

function chooseValue(world: World, cell: Cell, choice: number): unknown {
  const { field } = cell.group;
  const special = (field.type === "register" || field.type === "map" ? field.values : undefined) ?? DEFAULT_VALUES;
  if (world.options.arguments === "unit" || choice % 4 !== 3 || special.length === 0) return freshValue(world, cell);
  return special[(choice >>> 2) % special.length];
}

function freshValue(world: World, cell: Cell): unknown {
  const { field } = cell.group;
  const fresh = field.type === "register" || field.type === "map" || field.type === "list" ? field.fresh : undefined;
  const number = world.freshValues++;
  return fresh === undefined ? number : fresh(number);
}

function chooseDelta(world: World, cell: Cell, choice: number): number {
  const { field } = cell.group;
  const canSink = !(field.type === "counter" && field.decrements === false);
  if (world.options.arguments === "unit") return choice % 2 === 1 && field.type === "counter" && canSink ? -1 : 1;
  if (field.type === "bounded-counter") return 1 + (choice % 3);
  const size = 3 ** (world.increments++ % MAX_POWER);
  return choice % 2 === 1 && canSink ? -size : size;
}

/** Tells the truth about an operation that was accepted. Returns its number there. */
export function recordOperation(
  world: World,
  region: Region,
  template: OperationTemplate,
  operation: Operation,
): number {
  const { truth, written, operations } = world;
  const { cell } = template;
  const cellIndex = cell === undefined ? truth.cells - 1 : cell.index;
  const number = truth.add(region.index, cellIndex, deltaOf(operation));
  operations[number] = operation;
  written[number] = undefined;
  switch (operation.kind) {
    case "set":
    case "delete":
      written[number] = operation.kind === "delete" ? ABSENT : canonical(world, operation.value);
      truth.dominatesSeen(number, truth.effects, cellIndex);
      truth.hasEffect(number, cellIndex);
      break;
    case "add":
      truth.dominatesSeen(number, truth.removals, cellIndex);
      truth.hasEffect(number, cellIndex);
      break;
    case "remove":
    case "reset":
      truth.dominatesSeen(number, truth.effects, cellIndex);
      truth.removes(number, cellIndex);
      break;
    case "insert":
      written[number] = canonical(world, operation.value);
      truth.hasEffect(number, cellIndex);
      break;
    case "claim":
      written[number] = operation.value;
      truth.hasEffect(number, cellIndex);
      break;
    case "increment":
    case "decrement":
      truth.hasEffect(number, cellIndex);
      break;
  }
  region.own[region.ownCount++] = number;
  return number;
}

function deltaOf({ kind, amount }: Operation): number {
  return kind === "increment" ? amount : kind === "decrement" ? -amount : 0;
}

function canonical({ adapter }: World, value: unknown): unknown {
  return adapter.canon === undefined ? value : atOnce(adapter.canon(value), "canon", adapter);
}
