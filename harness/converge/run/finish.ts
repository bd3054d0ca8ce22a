import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import type { EndFacts, EndReplica } from "../oracles/oracle.ts";
import { END_ORACLES, LAW_ORACLES } from "../oracles/registry.ts";
import { collect } from "./events/collect.ts";
import { deliverAllInFlight, exchange } from "./exchange.ts";
import { judge } from "./judge.ts";
import { WorldLab } from "./lab.ts";
import { atOnce } from "./synchronous.ts";
import { strangeKey } from "./view.ts";
import type { World } from "./world.ts";

/** Called by the runner around every step of the end, for the trace. */
export type OnMoment = (moment: EndFacts["moment"]) => void;

/**
 * The end of a schedule: the links heal, the clocks are mended, every replica's state is frozen and each takes the
 * others' in an order of its own; then the same once more, and a collection. What is judged when is in the tiers of the
 * oracles.
 */
export function finish(
  world: World,
  onMoment: OnMoment | undefined,
  { stepTierOnly, skipsExchange }: { stepTierOnly: boolean; skipsExchange: boolean },
): void {
  for (const region of world.regions) region.view ??= atOnce(region.replica.value(), "value", world.adapter);
  heal(world);
  mendClocks(world);
  if (!world.survivesLoss) deliverAllInFlight(world);
  if (world.failure !== undefined) return;
  onMoment?.("before the exchange");
  if (!stepTierOnly && !judgeEnd(world, "before the exchange")) return;
  if ((world.deep && !judgeLaws(world)) || skipsExchange) return;
  exchangeUntilAllKnow(world);
  onMoment?.("after the exchange");
  if (world.failure !== undefined || !judgeAll(world) || !judgeEnd(world, "after the exchange")) return;
  if (stepTierOnly || !judgeStrangeKeys(world) || !judgeOwn(world)) return;
  remember(world);
  exchange(world, 2);
  onMoment?.("after the second round");
  if (world.failure !== undefined || !judgeChanges(world) || !judgeAll(world)) return;
  if (world.deep && world.collects && world.countsTombstones) collectAll(world, onMoment);
}

function heal(world: World): void {
  world.cut.fill(0);
  world.cuts = 0;
}

/** Every wall clock shows the greatest stamp issued anywhere: else the drift guard would keep correct types apart. */
function mendClocks({ regions, adapter }: World): void {
  let greatestMs = 0;
  for (const { stampL, clock } of regions) {
    greatestMs = Math.max(greatestMs, adapter.hlc === undefined ? clock.ms : stampL);
  }
  for (const { clock } of regions) clock.ms = Math.max(greatestMs, 0);
}

/**
 * An operation that waits for its causes may come free only in the exchange, with its maker gone and nobody else having
 * it: then it takes another round until all know it.
 */
function exchangeUntilAllKnow(world: World): void {
  exchange(world, 1);
  if (!world.buffered || !world.sendsState) return;
  for (let more = world.regions.length - 1; more > 0 && world.failure === undefined; more--) {
    if (world.truth.isKnownAlike()) return;
    exchange(world, 1);
  }
}

function judgeAll(world: World): boolean {
  for (const region of world.regions) if (!judge(world, region)) return false;
  return true;
}

/** What changed in the second round is judged as a change, before what it makes a replica show is. */
function judgeChanges(world: World): boolean {
  for (const region of world.regions) region.view = region.replica.value();
  return judgeEnd(world, "after the second round");
}

/** Keyed fields show no key that the schedule does not use. Looked for in one region: the others are compared with it. */
function judgeStrangeKeys(world: World): boolean {
  const { view } = world.regions[0]!;
  for (const { name, groups } of world.pool.fields) {
    if (groups[0]?.keyed !== true) continue;
    const strange = strangeKey((view as Record<string, unknown>)[name], groups);
    if (strange === undefined) continue;
    world.fail("RESURRECTED", 0, `${name} shows no key that was never written`, `the key ${show(strange)}`);
    return false;
  }
  return true;
}

function remember({ regions, valuesBefore, statesBefore, adapter }: World): void {
  for (const { index, view, replica } of regions) {
    valuesBefore[index] = view;
    statesBefore[index] = atOnce(replica.state?.(), "state", adapter);
  }
}

function judgeEnd(world: World, moment: EndFacts["moment"]): boolean {
  if (isAllTheSame(world, moment)) return true;
  const facts: EndFacts = { moment, replicas: world.regions.map(({ index }) => endReplica(world, index)) };
  for (const oracle of END_ORACLES) {
    const finding = oracle.judge(facts);
    if (finding === undefined) continue;
    world.fail(oracle.name, 0, finding.expected, finding.actual);
    return false;
  }
  return true;
}

/** The common case, seen without making the facts. */
function isAllTheSame(world: World, moment: EndFacts["moment"]): boolean {
  if (moment === "before the exchange") return !world.usesVersions || !isSomeInSync(world.regions);
  if (moment === "after the exchange") return isAllEqual(world.regions);
  return moment === "after the second round" && isNothingNew(world);
}

function isAllEqual(regions: World["regions"]): boolean {
  const first = regions[0]!.view;
  for (let index = 1; index < regions.length; index++) {
    const { view } = regions[index]!;
    if (view !== first && !same(view, first)) return false;
  }
  return true;
}

function isNothingNew({ regions, valuesBefore, statesBefore }: World): boolean {
  for (let index = 0; index < regions.length; index++) {
    const { view, replica } = regions[index]!;
    if (view !== valuesBefore[index] && !same(view, valuesBefore[index])) return false;
    const state = replica.state?.();
    if (state !== statesBefore[index] && !same(state, statesBefore[index])) return false;
  }
  return true;
}

/** Whether two that show different values have versions of equal structure. */
function isSomeInSync(regions: World["regions"]): boolean {
  for (let one = 0; one < regions.length; one++) {
    const { view, replica } = regions[one]!;
    for (let other = one + 1; other < regions.length; other++) {
      const peer = regions[other]!;
      if (view !== peer.view && same(replica.version?.(), peer.replica.version?.()) && !same(view, peer.view))
        return true;
    }
  }
  return false;
}

function endReplica({ regions, valuesBefore, statesBefore, adapter }: World, index: number): EndReplica {
  const { id, view, replica } = regions[index]!;
  return {
    id,
    value: view,
    valueBefore: valuesBefore[index],
    state: replica.state?.(),
    stateBefore: statesBefore[index],
    version: replica.version?.(),
    tombstones: atOnce(replica.tombstones?.(), "tombstones", adapter),
  };
}

function judgeLaws(world: World): boolean {
  const lab = new WorldLab(world, world.everything);
  for (const law of LAW_ORACLES) {
    const finding = law.judge(lab);
    if (finding === undefined) continue;
    world.fail(law.name, finding.region, finding.expected, finding.actual);
    return false;
  }
  return true;
}

function judgeOwn(world: World): boolean {
  for (const oracle of world.adapter.oracles ?? []) {
    if (oracle.tier !== "end") continue;
    const wrong = oracle.check(world.ownFacts(undefined));
    if (wrong === undefined) continue;
    world.fail(oracle.name, 0, oracle.summary, wrong);
    return false;
  }
  return true;
}

function collectAll(world: World, onMoment: OnMoment | undefined): void {
  for (const region of world.regions) {
    collect(world, region);
    if (!judge(world, region)) return;
  }
  onMoment?.("after the collection");
  judgeEnd(world, "after the collection");
}
