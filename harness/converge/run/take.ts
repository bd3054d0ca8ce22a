import { fingerprint } from "../equality/fingerprint.ts";
import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import { CLOCK_DRIFT } from "../oracles/hlc-drift.ts";
import { checkClock } from "./clock-check.ts";
import { AT } from "./coverage.ts";
import { judge } from "./judge.ts";
import type { Region } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import type { World } from "./world.ts";

/**
 * Gives a message to a region, in every circumstance: first delivery, again, forwarded, final exchange. Afterwards
 * `world.lastRefusal` says whether it was taken; a refused one has extended nobody's knowledge.
 */
export function take(world: World, region: Region, message: number): void {
  const { mail } = world;
  const { replica } = region;
  const payload = mail.payload[message];
  // Of a fresh replica nothing was looked at yet.
  region.view ??= atOnce(replica.value(), "value", world.adapter);
  const remote = world.adapter.hlc?.messageStamp(payload);
  // Whether it is a Promise is asked where it is compared: this runs for every message.
  const stateBefore = replica.state?.();
  const refusal = atOnce(replica.receive(payload), "receive", world.adapter);
  if (refusal !== undefined && typeof refusal !== "string") {
    world.lastRefusal = undefined;
    world.fail("CRASH", region.index, "receive() returns undefined or the code of a refusal", show(refusal));
    return;
  }
  world.lastRefusal = refusal;
  if (world.checksPrints && !isUnchanged(world, message, region.index)) return;
  if (!checkClock(world, region, "receive", false, remote, refusal)) return;
  if (refusal === undefined) {
    noteTaken(world, region, message);
    learn(world, region, message);
    rememberPeer(world, region, message);
    if (world.judgesTakes) judge(world, region);
  } else {
    world.coverage.met(refusal === CLOCK_DRIFT ? AT.driftRefusal : AT.otherRefusal);
    checkUntouched(world, region, stateBefore);
  }
}

/** INPUT-MUTATED: whether a message is what it was when it was sent. False when the world has a failure. */
export function isUnchanged(world: World, message: number, region: number): boolean {
  const { mail } = world;
  const payload = mail.payload[message];
  if (fingerprint(payload) === mail.print[message]) return true;
  const expected = `message ${message} as it was sent, whatever its sender and receivers do`;
  world.fail("INPUT-MUTATED", region, expected, `it is ${show(payload)} now`);
  return false;
}

function learn({ truth, mail, buffered, partial }: World, region: Region, message: number): void {
  const offset = message * truth.words;
  if (buffered) truth.learnBuffered(region.index, mail.carried, offset);
  else truth.learn(region.index, mail.carried, offset);
  if (!partial) return;
  for (let word = 0; word < truth.words; word++) {
    truth.possible[region.index * truth.words + word]! |= mail.possible[offset + word]!;
  }
}

/** What the region may from now on take the sender to have. */
function rememberPeer(world: World, region: Region, message: number): void {
  if (!world.usesVersions || !world.remembersVersions) return;
  const { mail, truth } = world;
  const from = mail.from[message]!;
  if (from === region.index || mail.fromLife[message] !== world.regions[from]!.life) return;
  const pair = region.index * world.regions.length + from;
  if (world.peerLife[pair] === mail.fromLife[message] && world.peerSequence[pair]! >= mail.sequence[message]!) return;
  world.peerLife[pair] = mail.fromLife[message]!;
  world.peerSequence[pair] = mail.sequence[message]!;
  world.peerVersion[pair] = mail.version[message];
  for (let word = 0; word < truth.words; word++) {
    world.peerKnown[pair * truth.words + word] = mail.knowledge[message * truth.words + word]!;
  }
}

function noteTaken({ mail, coverage, truth }: World, region: Region, message: number): void {
  if (mail.taken[message] === 0) mail.takenAt[message] = region.taken;
  else if (region.taken > mail.takenAt[message]! + 1) coverage.met(AT.duplicateLate);
  mail.taken[message]!++;
  region.taken++;
  if (!truth.covers(region.index, mail.needs, message * truth.words)) coverage.met(AT.gap);
}

function checkUntouched(world: World, region: Region, stateBefore: unknown): void {
  const { replica } = region;
  const stamp = replica.stamp?.();
  if (
    stamp !== undefined &&
    world.adapter.hlc !== undefined &&
    (stamp.l !== region.stampL || stamp.c !== region.stampC)
  ) {
    fail(world, region, `the clock at (${region.stampL}, ${region.stampC})`, `the clock at (${stamp.l}, ${stamp.c})`);
    return;
  }
  const state = atOnce(replica.state?.(), "state", world.adapter);
  if (state !== stateBefore && !same(state, stateBefore)) {
    fail(world, region, `the state ${show(stateBefore)}`, show(state));
    return;
  }
  // In the final exchange what it shows is not looked at after each message.
  if (!world.judgesTakes) return;
  const view = replica.value();
  if (view !== region.view && !same(view, region.view)) fail(world, region, show(region.view), show(view));
}

function fail(world: World, region: Region, before: string, after: string): void {
  const what = `after the refusal (${world.lastRefusal}) still`;
  world.fail("REJECT-MUTATED", region.index, `${what} ${before}`, after);
}
