import type { Stamp } from "../../contracts/crdt-adapter.ts";
import type { ClockFacts } from "../oracles/oracle.ts";
import { CLOCK_ORACLES } from "../oracles/registry.ts";
import type { Region } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import type { World } from "./world.ts";

const NO_STAMP: Stamp = { l: -1, c: 0 };

// One object for all acts: oracles read it at once and keep nothing.
const facts: { -readonly [Key in keyof ClockFacts]: ClockFacts[Key] } = {
  act: "operation",
  mustAdvance: false,
  wallMs: 0,
  before: NO_STAMP,
  after: NO_STAMP,
  remote: undefined,
  refusal: undefined,
  maxDriftMs: 0,
};
const before = { l: 0, c: 0 };

/** Asks the clock oracles about what a region's hybrid logical clock just did. Returns false on a failure. */
export function checkClock(
  world: World,
  region: Region,
  act: ClockFacts["act"],
  mustAdvance: boolean,
  remote: Stamp | undefined,
  refusal: string | undefined,
): boolean {
  const { hlc } = world.adapter;
  const after = region.replica.stamp?.();
  if (hlc === undefined || after === undefined) return true;
  if (isPlainlyRight(region, act, mustAdvance, remote, refusal, after, hlc.maxDriftMs)) {
    region.stampL = after.l;
    region.stampC = after.c;
    return true;
  }
  atOnce(remote, "hlc.messageStamp", world.adapter);
  before.l = region.stampL;
  before.c = region.stampC;
  facts.act = act;
  facts.mustAdvance = mustAdvance;
  facts.wallMs = region.clock.ms;
  facts.before = before;
  facts.after = after;
  facts.remote = remote;
  facts.refusal = refusal;
  facts.maxDriftMs = hlc.maxDriftMs;
  for (let index = 0; index < CLOCK_ORACLES.length; index++) {
    const oracle = CLOCK_ORACLES[index]!;
    const finding = oracle.judge(facts);
    if (finding === undefined) continue;
    world.fail(oracle.name, region.index, finding.expected, finding.actual);
    return false;
  }
  if (refusal === undefined) {
    region.stampL = after.l;
    region.stampC = after.c;
  }
  return true;
}

/** The common cases, in which no oracle has anything to say: the oracles are asked about all others. */
function isPlainlyRight(
  { stampL, stampC, clock }: Region,
  act: ClockFacts["act"],
  mustAdvance: boolean,
  remote: Stamp | undefined,
  refusal: string | undefined,
  { l, c }: Stamp,
  maxDriftMs: number,
): boolean {
  if (refusal !== undefined) return false;
  const advanced = l > stampL || (l === stampL && c > stampC);
  if (act !== "receive" || remote === undefined) return advanced || (!mustAdvance && l === stampL && c === stampC);
  const aboveRemote = l > remote.l || (l === remote.l && c > remote.c);
  return advanced && aboveRemote && l >= clock.ms && remote.l - clock.ms <= maxDriftMs;
}
