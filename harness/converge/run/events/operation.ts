import type { Operation } from "../../../contracts/crdt-fields.ts";
import { same } from "../../equality/same.ts";
import { show } from "../../equality/show.ts";
import type { OperationTemplate } from "../../plan/pool.ts";
import { checkClock } from "../clock-check.ts";
import { AT } from "../coverage.ts";
import { checkClaims, checkRights } from "../global-checks.ts";
import { judge, liveOperations } from "../judge.ts";
import { makeOperation, recordOperation } from "../operation.ts";
import type { Region } from "../region.ts";
import { atOnce } from "../synchronous.ts";
import { asItems, readView } from "../view.ts";
import type { World } from "../world.ts";

/** A local operation: region a does what template b makes of c. */
export function operationEvent(world: World, a: number, b: number, c: number): boolean {
  const region = world.regions[a % world.regions.length]!;
  const { templates } = world.pool;
  const template = templates[b % templates.length]!;
  const operation = makeOperation(world, region, template, c);
  world.lastRegion = region.index;
  if (operation === undefined) return false;
  world.lastOperation = operation;
  const target = operation.kind === "erase" ? eraseTarget(world, region, template, operation) : -1;
  const refusal = atOnce(region.replica.apply(operation), "apply", world.adapter);
  world.lastRefusal = typeof refusal === "string" ? refusal : undefined;
  if (world.learnedPairs.length > 0) learnBefore(world, region);
  if (refusal !== undefined) return refused(world, region, refusal);
  const number = recordOperation(world, region, template, operation);
  if (target >= 0) {
    world.truth.removes(number, template.cell!.index);
    world.truth.dominates[number * world.truth.words + (target >>> 5)]! |= 1 << (target & 31);
  }
  if (world.partial && !world.truth.isCertain(region.index)) world.truth.unsure[number >>> 5]! |= 1 << (number & 31);
  noteRestartBetween(world, region, operation, number);
  world.truth.learnOne(region.index, number);
  if (world.adapter.hlc !== undefined) {
    const mustAdvance = operation.kind === "set" || operation.kind === "delete";
    if (!checkClock(world, region, "operation", mustAdvance, undefined, undefined)) return true;
    world.truth.stampL[number] = region.stampL;
    world.truth.stampC[number] = region.stampC;
  }
  if (world.learnedPairs.length > 0 && !learnAfter(world, region)) return true;
  if (!judge(world, region)) return true;
  if (world.multiRights) checkRights(world, region);
  if (operation.kind === "claim") checkClaims(world, region, template.cell!, number);
  return true;
}

function refused(world: World, region: Region, refusal: string): true {
  world.learnedPairs.length = 0;
  if (typeof refusal !== "string") {
    world.fail("CRASH", region.index, "apply() returns undefined or the code of a refusal", show(refusal));
    return true;
  }
  world.coverage.met(AT.operationRefused);
  judge(world, region);
  return true;
}

/** The region read others' state, beside the messages, before its operation. */
function learnBefore({ truth, learnedPairs }: World, region: Region): void {
  for (let at = 0; at < learnedPairs.length; at += 2) {
    if (learnedPairs[at] === region.index) truth.learn(region.index, truth.known, learnedPairs[at + 1]! * truth.words);
  }
}

/** Others read this region's state, with the operation. */
function learnAfter(world: World, region: Region): boolean {
  const { truth, learnedPairs, regions } = world;
  for (let at = 0; at < learnedPairs.length; at += 2) {
    const learner = learnedPairs[at]!;
    if (learner === region.index) continue;
    truth.learn(learner, truth.known, learnedPairs[at + 1]! * truth.words);
    if (!judge(world, regions[learner]!)) return false;
  }
  learnedPairs.length = 0;
  return true;
}

function eraseTarget(world: World, region: Region, template: OperationTemplate, operation: Operation): number {
  const cell = template.cell!;
  const item = asItems(readView(region.view ?? region.replica.value(), cell.group))?.[operation.index];
  return liveOperations(world, region.index, cell).find((insert) => same(world.written[insert], item)) ?? -1;
}

function noteRestartBetween({ truth, coverage }: World, region: Region, { kind }: Operation, number: number): void {
  if (kind !== "remove" || region.restartedAt < 0) return;
  for (let operation = 0; operation < region.restartedAt; operation++) {
    const bit = 1 << (operation & 31);
    if ((truth.dominates[number * truth.words + (operation >>> 5)]! & bit) === 0) continue;
    coverage.met(AT.restartBetween);
    return;
  }
}
