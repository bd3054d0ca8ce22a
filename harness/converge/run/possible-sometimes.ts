import { SOMETIMES_KEYS, type SometimesKey } from "./coverage.ts";
import type { World } from "./world.ts";

/**
 * What a campaign of this adapter can meet at all: a type without sets has no remove that meets an add. Whether a type
 * ever refuses anything, nobody knows beforehand; those that hold rights or unique keys are expected to.
 */
export function possibleSometimes(world: World): SometimesKey[] {
  const { adapter, causal, fifo, regions, sendsState, collects } = world;
  const has = (...types: readonly string[]) => adapter.fields.some(({ type }) => types.includes(type));
  const onlyWhole = adapter.encodings.every(({ kind }) => kind === "full");
  const losesPending = adapter.persistsPending === false || (adapter.survives ?? []).includes("buffer");
  const hasClock = adapter.hlc !== undefined;
  const possible: Readonly<Record<SometimesKey, boolean>> = {
    duplicateLate: world.survivesDuplicates,
    outOfOrder: !causal && !fifo,
    toFormerLife: sendsState,
    gap: !onlyWhole && !causal,
    concurrentWrites: has("register", "map"),
    tie: has("register", "map") && hasClock,
    concurrentRemove: has("set"),
    restartBetween: has("set"),
    pendingLost: losesPending,
    forgotten: sendsState,
    driftRefusal: hasClock,
    otherRefusal: false,
    operationRefused: has("bounded-counter", "unique"),
    clockBack: hasClock,
    collectedInPartition: collects,
    collectedSome: collects,
    forwardedAgain: !causal && !fifo && regions.length > 2,
  };
  return SOMETIMES_KEYS.filter((key) => possible[key]);
}
