import { ClockDriftError, DEFAULT_MAX_DRIFT_MS, HybridLogicalClock } from "../../crdts/types/hlc.ts";
import { formatTimestamp, type Timestamp } from "../../crdts/types/timestamp.ts";
import { LAB_GUARD_MS } from "../mug.ts";
import type { RegionStage, Scene } from "../scene.ts";
import { alert, at, clockMoves, send } from "../stage.ts";

interface GuardedClock {
  readonly stamp: Timestamp;
  readonly guardMs: number;
  readonly refusals: number;
}

type At = RegionStage<GuardedClock>;

const HOUR_MS = 3_600_000;

/** The real clock of an application, made anew for one step from what it saved. */
const clockOf = ({ state, wallMs }: At) =>
  new HybridLogicalClock({
    node: state.stamp.node,
    clock: { now: () => wallMs },
    maxDriftMs: state.guardMs,
    saved: state.stamp,
  });

const write = (region: At): GuardedClock => ({ ...region.state, stamp: clockOf(region).now() });

function receive(
  region: At,
  { stamp: remote }: GuardedClock,
): GuardedClock | readonly [GuardedClock, ReturnType<typeof alert>] {
  try {
    return { ...region.state, stamp: clockOf(region).receive(remote) };
  } catch (error) {
    if (!(error instanceof ClockDriftError)) throw error;
    const text = `${error.code}: ${formatTimestamp(remote)} is ${error.driftMs} ms ahead, ${region.state.guardMs} are allowed`;
    return [{ ...region.state, refusals: region.state.refusals + 1 }, alert(text)];
  }
}

const widened = ({ state }: At): GuardedClock => ({ ...state, guardMs: LAB_GUARD_MS });

export const clockDrift: Scene<GuardedClock> = {
  id: "5e",
  title: "The guard: a message from a clock that is far ahead is refused",
  setting: [
    "A hybrid logical clock takes over the greatest time that it sees. One region whose clock is an hour ahead would drag " +
      `all others an hour ahead. Hence a guard: a stamp more than ${DEFAULT_MAX_DRIFT_MS} ms ahead of the own wall clock ` +
      "is refused, with an alert. Both guards have this default at the start; Cairo is 120 s behind, as before.",
  ],
  start: {
    fra: { wallMs: 220_000, state: { stamp: { l: 0, c: 0, node: "fra" }, guardMs: DEFAULT_MAX_DRIFT_MS, refusals: 0 } },
    cai: { wallMs: 100_000, state: { stamp: { l: 0, c: 0, node: "cai" }, guardMs: DEFAULT_MAX_DRIFT_MS, refusals: 0 } },
    link: "up",
  },
  steps: [
    at("fra", "Frankfurt writes something.", write),
    send(
      "fra",
      "The message arrives in Cairo.",
      receive,
      "It is Cairo's clock that is wrong, and Cairo that complains: the guard says that two clocks disagree, not which " +
        "of them is right. Nothing was changed, and the message will be sent again.",
    ),
    at("cai", `Someone sets Cairo's guard to ${LAB_GUARD_MS} ms, as in scenes 2 to 4.`, widened),
    send("fra", "The message is sent again.", receive, "Now it is taken, and Cairo's clock goes with it."),
    at("cai", "Cairo writes something.", write, "Above what it has received: two counts on from (220000,0,fra)."),
    clockMoves("fra", HOUR_MS, "Frankfurt's clock jumps an hour ahead."),
    at("fra", "Frankfurt writes something.", write),
    send(
      "fra",
      "The message arrives in Cairo.",
      receive,
      "An hour and two minutes ahead: refused under any sane guard.",
    ),
    at("cai", "Cairo writes something.", write, "Its clock is untouched by what was refused: it simply counts on."),
  ],
  show: ({ stamp, guardMs, refusals }) => [
    { label: "clock", value: formatTimestamp(stamp) },
    { label: "guard", value: `${guardMs} ms` },
    { label: "refused", value: String(refusals) },
  ],
  moral:
    "Refuse as a whole, change nothing, say it loudly, and take it later: the clock needs mending, not the data. A clock " +
    "that is behind shows up just as well, as everyone else's messages being ahead.",
};
