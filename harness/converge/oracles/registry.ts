import { addLost } from "./add-lost.ts";
import { causality } from "./causality.ts";
import { crash } from "./crash.ts";
import { deltaFull } from "./delta-full.ts";
import { diverged } from "./diverged.ts";
import { doubleCount } from "./double-count.ts";
import { growth } from "./growth.ts";
import { hlcDrift } from "./hlc-drift.ts";
import { hlcReceive } from "./hlc-receive.ts";
import { hlcRegressed } from "./hlc-regressed.ts";
import { inputMutated } from "./input-mutated.ts";
import { liveReload } from "./live-reload.ts";
import { lostUpdate } from "./lost-update.ts";
import { negative } from "./negative.ts";
import { noQuiescence } from "./no-quiescence.ts";
import { notAssociative } from "./not-associative.ts";
import { notCommutative } from "./not-commutative.ts";
import { notIdempotent } from "./not-idempotent.ts";
import type { ClockOracle, EndOracle, LawOracle, Oracle, ValueOracle } from "./oracle.ts";
import { order } from "./order.ts";
import { rejectMutated } from "./reject-mutated.ts";
import { resurrected } from "./resurrected.ts";
import { rights } from "./rights.ts";
import { uniqueness } from "./uniqueness.ts";

/**
 * Every oracle, in the order in which they are asked: the first that speaks gives a failure its name, so that the more
 * telling ones stand before the general ones.
 */
export const ORACLES: readonly Oracle[] = [
  crash,
  hlcDrift,
  hlcReceive,
  hlcRegressed,
  rejectMutated,
  inputMutated,
  negative,
  rights,
  uniqueness,
  doubleCount,
  resurrected,
  addLost,
  causality,
  order,
  lostUpdate,
  liveReload,
  deltaFull,
  notIdempotent,
  notCommutative,
  notAssociative,
  diverged,
  noQuiescence,
  growth,
];

export const VALUE_ORACLES = ORACLES.filter((oracle): oracle is ValueOracle => oracle.kind === "value");
export const CLOCK_ORACLES = ORACLES.filter((oracle): oracle is ClockOracle => oracle.kind === "clock");
export const END_ORACLES = ORACLES.filter((oracle): oracle is EndOracle => oracle.kind === "end");
export const LAW_ORACLES = ORACLES.filter((oracle): oracle is LawOracle => oracle.kind === "law");
