import type { Loss } from "../../../contracts/crdt-adapter.ts";
import { checkClock } from "../clock-check.ts";
import { AT } from "../coverage.ts";
import { judge } from "../judge.ts";
import type { Region } from "../region.ts";
import { atOnce } from "../synchronous.ts";
import type { World } from "../world.ts";

/** Region a crashes and comes back from what it saved; entry b - 1 of what it claims to survive losing is lost besides. */
export function restartEvent(world: World, a: number, b: number): boolean {
  const region = world.regions[a % world.regions.length]!;
  const losses = (world.adapter.survives ?? []).filter((loss) => loss !== "identity");
  const choice = b % (losses.length + 1);
  world.lastRegion = region.index;
  world.lastDetail = choice === 0 ? "" : losses[choice - 1]!;
  restart(world, region, choice === 0 ? undefined : losses[choice - 1]);
  return true;
}

function restart(world: World, region: Region, lost: Loss | undefined): void {
  const { truth, adapter, coverage } = world;
  const saved = atOnce(region.replica.save(), "save", adapter);
  region.replica = atOnce(adapter.load(saved, region.context, lost), "load", adapter);
  region.restartedAt = truth.count;
  region.judgeAnew();
  if (adapter.persistsPending === false || lost === "buffer") {
    const forgot = world.buffered
      ? truth.forgetPending(region.index)
      : world.partial && truth.keepOnlyClosed(region.index);
    if (forgot) coverage.met(AT.pendingLost);
  }
  if (checkClock(world, region, "load", false, undefined, undefined)) judge(world, region);
}
