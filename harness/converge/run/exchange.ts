import { canArrive } from "./events/deliver.ts";
import { MESSAGE } from "./mailbox.ts";
import { broadcast, post } from "./post.ts";
import type { Region } from "./region.ts";
import { isUnchanged, take } from "./take.ts";
import type { World } from "./world.ts";

/**
 * One round of the final exchange: every region's messages are made first, from what it holds now; then each region takes
 * those for it in an order of its own. Refused ones are tried again once the others were taken.
 */
export function exchange(world: World, round: 1 | 2): void {
  const { mail, regions } = world;
  world.judgesTakes = false;
  if (world.sendsState) {
    mail.inFlightCount = 0;
    const encoding = world.stateEncodings[round === 1 ? world.finishBits % world.stateEncodings.length : 0]!;
    // One look at each message when all have taken it, in the first round, is enough here.
    world.checksPrints = world.deep && round === 1;
    world.remembersVersions = needsVersions(world, round);
    const first = mail.count;
    freeze(world, encoding);
    const end = mail.count;
    world.checksPrints = false;
    for (const region of regions) takeAll(world, region, encoding);
    if (world.failure === undefined) requireAll(world);
    if (!world.deep || round === 2) return;
    for (let message = first; message < end && world.failure === undefined; message++) {
      isUnchanged(world, message, mail.from[message]!);
    }
    return;
  }
  for (const region of regions) broadcastRest(world, region, round);
  deliverAllInFlight(world);
}

/** Whether what is exchanged in the second round, or a collection after it, depends on what is known of the peers. */
function needsVersions({ adapter, stateEncodings, collects, deep }: World, round: 1 | 2): boolean {
  const isDelta = adapter.encodings[stateEncodings[0]!]!.kind === "delta";
  return (round === 1 && isDelta) || (collects && deep);
}

/** Messages of the state, by pair; one for all peers where the encoding does not depend on the peer. */
function freeze(world: World, encoding: number): void {
  const { regions, frozen, adapter } = world;
  const count = regions.length;
  const forAll = adapter.encodings[encoding]!.kind === "full";
  for (const region of regions) {
    let message = -1;
    for (let step = 1; step < count; step++) {
      const to = (region.index + step) % count;
      if (message < 0 || !forAll) message = post(world, region, to, encoding, false);
      frozen[region.index * count + to] = message;
    }
  }
}

function takeAll(world: World, region: Region, encoding: number): void {
  const { frozen, regions } = world;
  const count = regions.length;
  const bits = world.finishBits >>> 4;
  const start = (bits + region.index * (1 + (bits >>> 3))) % count;
  const step = (bits >>> (region.index % 8)) % 2 === 0 ? 1 : count - 1;
  let refused = 0;
  for (let turn = 0; turn < count; turn++) {
    const from = (start + turn * step) % count;
    const message = from === region.index ? -1 : frozen[from * count + region.index]!;
    if (message < 0) continue;
    take(world, region, message);
    if (world.failure !== undefined) return;
    if (world.lastRefusal !== undefined) refused++;
    else frozen[from * count + region.index] = -1;
  }
  for (let turn = 1; turn < count && refused > 0; turn++) refused = takeRefused(world, region);
  if (refused > 0 && world.adapter.encodings[encoding]!.kind === "delta") askForFull(world, region);
}

function takeRefused(world: World, region: Region): number {
  const { frozen, regions } = world;
  const count = regions.length;
  let refused = 0;
  for (let from = 0; from < count; from++) {
    const message = from === region.index ? -1 : frozen[from * count + region.index]!;
    if (message < 0) continue;
    take(world, region, message);
    if (world.failure !== undefined) return 0;
    if (world.lastRefusal !== undefined) refused++;
    else frozen[from * count + region.index] = -1;
  }
  return refused;
}

/** A delta that was refused for a gap is followed by a full state, where there is one, as any protocol would. */
function askForFull(world: World, region: Region): void {
  const { frozen, regions, adapter } = world;
  const full = adapter.encodings.findIndex(({ kind }) => kind === "full");
  if (full < 0) return;
  const count = regions.length;
  for (let from = 0; from < count; from++) {
    if (from === region.index || frozen[from * count + region.index]! < 0) continue;
    const message = post(world, regions[from]!, region.index, full, false);
    if (message < 0) continue;
    take(world, region, message);
    if (world.failure !== undefined) return;
    if (world.lastRefusal === undefined) frozen[from * count + region.index] = -1;
  }
}

function requireAll(world: World): void {
  const { frozen, regions } = world;
  const count = regions.length;
  for (let pair = 0; pair < count * count; pair++) {
    const message = frozen[pair]!;
    const from = Math.floor(pair / count);
    if (from === pair % count || message < 0) continue;
    world.fail(
      "DIVERGED",
      pair % count,
      `${regions[pair % count]!.id} takes what ${regions[from]!.id} holds in the final exchange, the clocks being mended`,
      `refused with ${world.lastRefusal ?? "a code"}`,
    );
    return;
  }
}

function broadcastRest(world: World, region: Region, round: 1 | 2): void {
  const encoding = world.adapter.encodings.findIndex(({ kind }) => kind === "operations");
  const again = world.survivesDuplicates && (round === 2 || world.survivesLoss);
  const first = again ? 0 : region.broadcast;
  if (first < region.ownCount) broadcast(world, region, encoding, first, region.ownCount, false);
  region.broadcast = region.ownCount;
}

/** Delivers until nothing in flight can arrive any more: the network keeps its promises. */
export function deliverAllInFlight(world: World): void {
  const { mail, regions } = world;
  for (let progress = true; progress; ) {
    progress = false;
    for (let turn = mail.inFlightCount - 1; turn >= 0; turn--) {
      // From the front or from the back, as the schedule says.
      const place = world.finishBits % 2 === 0 ? mail.inFlightCount - 1 - turn : turn;
      if (place < 0 || place >= mail.inFlightCount) continue;
      const message = mail.inFlight[place]!;
      if (!canArrive(world, message)) continue;
      take(world, regions[mail.to[message]!]!, message);
      if (world.failure !== undefined) return;
      if (world.lastRefusal !== undefined) continue;
      mail.takeOut(place, MESSAGE.delivered);
      progress = true;
    }
  }
  if (mail.inFlightCount > 0 && !world.sendsState) requireDelivered(world);
}

function requireDelivered(world: World): void {
  const { mail, regions } = world;
  const message = mail.inFlight[0]!;
  world.fail(
    "DIVERGED",
    mail.to[message]!,
    `${regions[mail.to[message]!]!.id} takes message ${message} of ${regions[mail.from[message]!]!.id} in the final exchange`,
    "refused, or waiting for what nobody sends",
  );
}
