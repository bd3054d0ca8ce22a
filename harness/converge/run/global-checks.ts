import { same } from "../equality/same.ts";
import type { Cell, Group } from "../plan/pool.ts";
import type { Region } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import type { World } from "./world.ts";

/**
 * RIGHTS: what all regions believe to hold of a bounded counter, and what is on its way between them, is at most the
 * counter's value over everything that anybody still knows.
 */
export function checkRights(world: World, touched: Region): boolean {
  for (const group of world.pool.groups) {
    if (group.field.type !== "bounded-counter" || group.field.transfers === false) continue;
    if (!checkRightsOf(world, touched, group)) return false;
  }
  return true;
}

function checkRightsOf(world: World, touched: Region, group: Group): boolean {
  const { truth, regions, operations } = world;
  const cell = group.cells[0]!.index;
  let value = group.field.type === "bounded-counter" ? (group.field.initial ?? 0) : 0;
  let inFlight = 0;
  for (let number = 0; number < truth.count; number++) {
    if (truth.cell[number] !== cell || !regions.some(({ index }) => truth.knows(index, number))) continue;
    value += truth.amount[number]!;
    const { kind, to, amount } = operations[number]!;
    if (kind !== "transfer") continue;
    const receiver = regions.find(({ id }) => id === to);
    if (receiver !== undefined && !truth.knows(receiver.index, number)) inFlight += amount;
  }
  let held = 0;
  for (const { replica } of regions) {
    held += atOnce(replica.rights?.(group.field.name, group.key), "rights", world.adapter) ?? 0;
  }
  if (held + inFlight <= value) return true;
  const all = regions.map(({ id, replica }) => `${id} ${replica.rights?.(group.field.name, group.key)}`).join(", ");
  world.fail(
    "RIGHTS",
    touched.index,
    `rights to at most ${value} of ${group.label}, its value`,
    `${held + inFlight}: held by ${all}; in flight ${inFlight}`,
  );
  return false;
}

/** UNIQUENESS: a key that somebody's accepted claim holds is claimed once more. */
export function checkClaims(world: World, region: Region, cell: Cell, claim: number): void {
  const { truth, written, regions, operations } = world;
  for (let number = 0; number < claim; number++) {
    if (truth.cell[number] !== cell.index || same(written[number], written[claim])) continue;
    if (!isCarried(world, number)) continue;
    const first = `${written[number]} in ${regions[truth.region[number]!]!.id}`;
    world.fail(
      "UNIQUENESS",
      region.index,
      `the claim of ${cell.group.label} by ${written[claim]} in ${region.id} refused: ${first} has it`,
      `accepted (operation ${operations[claim]!.number})`,
    );
    return;
  }
}

/** Whether a replica or a message still holds the operation. */
function isCarried({ truth, regions, mail }: World, operation: number): boolean {
  if (regions.some(({ index }) => truth.knows(index, operation))) return true;
  const bit = 1 << (operation & 31);
  for (let message = 0; message < mail.count; message++) {
    if ((mail.carried[message * truth.words + (operation >>> 5)]! & bit) !== 0) return true;
  }
  return false;
}
