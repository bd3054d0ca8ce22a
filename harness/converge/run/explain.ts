import { show } from "../equality/show.ts";
import type { KnownOperation, Mismatch } from "../oracles/oracle.ts";
import { VALUE_ORACLES } from "../oracles/registry.ts";
import type { Cell } from "../plan/pool.ts";
import type { World } from "./world.ts";

type Difference = Pick<Mismatch, "shown" | "expected" | "repeated" | "reordered">;

/** Gives a wrong value the name of the oracle that explains it, and makes it the world's failure. */
export function explain(world: World, region: number, cell: Cell, difference: Difference): void {
  const mismatch: Mismatch = {
    ...difference,
    type: cell.group.field.type,
    known: knownOperations(world, region, cell),
  };
  const oracle = VALUE_ORACLES.find((candidate) => candidate.explains(mismatch))!;
  const { label, field } = cell.group;
  if (field.type === "set" && typeof difference.shown === "boolean") {
    const has = (present: boolean) => `${label} ${present ? "has" : "does not have"} ${show(cell.element)}`;
    world.fail(oracle.name, region, has(difference.expected[0] === true), has(difference.shown));
    return;
  }
  const expected = difference.expected.map(show);
  const order = mismatch.reordered ? " in an order seen before" : field.type === "list" ? " in any one order" : "";
  world.fail(
    oracle.name,
    region,
    `${label} is ${[...new Set(expected)].join(" or ")}${order}`,
    `${show(difference.shown)}`,
  );
}

function knownOperations({ truth, written }: World, region: number, cell: Cell): KnownOperation[] {
  const known: KnownOperation[] = [];
  for (let operation = 0; operation < truth.count; operation++) {
    if (truth.cell[operation] !== cell.index || !truth.knows(region, operation)) continue;
    const removal = (truth.removals[cell.index * truth.words + (operation >>> 5)]! & (1 << (operation & 31))) !== 0;
    known.push({
      value: written[operation],
      amount: truth.amount[operation]!,
      removal,
      live: !truth.isDominated(region, operation),
    });
  }
  return known;
}
