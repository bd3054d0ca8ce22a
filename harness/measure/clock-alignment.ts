/**
 * Two clocks laid side by side through a third: each asks the same server for its time, as Cristian (1989) does. What the
 * server said lies between the question and the answer on the asker's clock, whatever way the time went; so every
 * offset comes with a bound that holds, and not with an estimate.
 */

/** A question for the server's time. All ns; each side counts from a zero of its own. */
export interface RoundTrip {
  /** On the asker's clock. */
  sentNs: number;
  receivedNs: number;
  /** The server's answer, rounded down to its resolution. */
  serverNs: number;
}

export interface Alignment {
  /** What has to be added to a time of the other clock to have it on the own one, ns. */
  offsetNs: number;
  /** By how much that may be wrong at most, ns. */
  boundNs: number;
}

/** Redis tells its time in whole microseconds. */
const SERVER_RESOLUTION_NS = 1_000;
/**
 * How much faster one clock may run than another: NTP slews by up to 500 ppm, and a bad crystal is off by 100 ppm, on both
 * sides.
 */
export const MOST_DRIFT = 1_200e-6;

interface Range {
  lowNs: number;
  highNs: number;
}

/** Server's time minus the asker's. */
function offsetOf({ sentNs, receivedNs, serverNs }: RoundTrip): Range {
  return { lowNs: serverNs - receivedNs, highNs: serverNs + SERVER_RESOLUTION_NS - sentNs };
}

const roundTripNs = ({ sentNs, receivedNs }: RoundTrip): number => receivedNs - sentNs;

/** The trip that tells most: the quickest. */
export function quickest(trips: readonly RoundTrip[]): RoundTrip | undefined {
  let best: RoundTrip | undefined;
  for (const trip of trips) if (!best || roundTripNs(trip) < roundTripNs(best)) best = trip;
  return best;
}

/** Own time minus the other's, by one trip of each; drift counts for the time between them. */
function difference(other: RoundTrip, own: RoundTrip): Range {
  const [there, here] = [offsetOf(other), offsetOf(own)];
  const driftNs = MOST_DRIFT * Math.abs(other.serverNs - own.serverNs);
  return { lowNs: there.lowNs - here.highNs - driftNs, highNs: there.highNs - here.lowNs + driftNs };
}

/**
 * The alignment at the last trips. Undefined while one of the two has none.
 * @param within how far back trips count, ns of the server
 */
export function align(other: readonly RoundTrip[], own: readonly RoundTrip[], within = 2e9): Alignment | undefined {
  const latest = Math.max(other.at(-1)?.serverNs ?? 0, own.at(-1)?.serverNs ?? 0);
  const recent = (trips: readonly RoundTrip[]) => quickest(trips.filter(({ serverNs }) => serverNs > latest - within));
  const [there, here] = [recent(other), recent(own)];
  if (!there || !here) return undefined;
  const { lowNs, highNs } = difference(there, here);
  const offsetNs = Math.round((lowNs + highNs) / 2);
  return { offsetNs, boundNs: Math.ceil((highNs - lowNs) / 2) };
}

/** Trips that are farther away say nothing that drift has not blurred. */
const NEIGHBOURHOOD_NS = 5e9;

/**
 * By how much times may be wrong at most that were laid on the own clock with one offset, from a moment on the own clock
 * until another. Every trip says where the difference of the clocks lay; since it drifts slowly, what a quick trip says
 * holds for its slow neighbours too. A step of the server's own clock widens the bound, and never hides.
 */
export function boundOver(
  other: readonly RoundTrip[],
  own: readonly RoundTrip[],
  { offsetNs, boundNs }: Alignment,
  { fromNs, toNs }: { fromNs: number; toNs: number },
): number {
  const isNear = ({ sentNs }: RoundTrip, zeroNs: number) =>
    sentNs + zeroNs > fromNs - NEIGHBOURHOOD_NS && sentNs + zeroNs < toNs + NEIGHBOURHOOD_NS;
  const ownNear = own.filter((trip) => isNear(trip, 0));
  const otherNear = other.filter((trip) => isNear(trip, offsetNs));
  const known = narrowed(otherNear.flatMap((trip) => differenceAt(trip, ownNear)));
  const first = Math.max(
    0,
    known.findLastIndex(({ atNs }) => atNs + offsetNs < fromNs),
  );
  const after = known.findIndex(({ atNs }) => atNs + offsetNs > toNs);
  const concerned = known.slice(first, after < 0 ? undefined : after + 1);
  let worstNs = concerned.length === 0 ? boundNs : 0;
  let widestGapNs = 0;
  let before = fromNs - offsetNs;
  for (const { atNs, lowNs, highNs } of concerned) {
    widestGapNs = Math.max(widestGapNs, atNs - before);
    before = atNs;
    worstNs = Math.max(worstNs, Math.abs(lowNs - offsetNs), Math.abs(highNs - offsetNs));
  }
  widestGapNs = Math.max(widestGapNs, toNs - offsetNs - before);
  return Math.ceil(worstNs + MOST_DRIFT * widestGapNs);
}

/** Where the difference of the clocks lay at a moment of the other one. */
interface KnownDifference extends Range {
  atNs: number;
}

/**
 * By the own trips before and after: had the server's clock stepped in between, one of the two would be right, and which is
 * not known.
 */
function differenceAt(trip: RoundTrip, own: readonly RoundTrip[]): KnownDifference[] {
  const ranges = neighbours(own, trip.serverNs).map((neighbour) => difference(trip, neighbour));
  if (ranges.length === 0) return [];
  const slackNs = MOST_DRIFT * roundTripNs(trip);
  return [
    {
      atNs: (trip.sentNs + trip.receivedNs) / 2,
      lowNs: Math.min(...ranges.map(({ lowNs }) => lowNs)) - slackNs,
      highNs: Math.max(...ranges.map(({ highNs }) => highNs)) + slackNs,
    },
  ];
}

/** Each narrowed by all others, as far as the clocks may have drifted between them. */
function narrowed(differences: readonly KnownDifference[]): KnownDifference[] {
  const sweep = (list: readonly KnownDifference[]) => {
    const out: KnownDifference[] = [];
    for (const one of list) {
      const last = out.at(-1);
      const driftNs = last ? MOST_DRIFT * Math.abs(one.atNs - last.atNs) : 0;
      const lowNs = Math.max(one.lowNs, last ? last.lowNs - driftNs : one.lowNs);
      const highNs = Math.min(one.highNs, last ? last.highNs + driftNs : one.highNs);
      // Two that exclude each other: a clock did what none should. Nothing is narrowed by that.
      out.push(lowNs <= highNs ? { ...one, lowNs, highNs } : one);
    }
    return out;
  };
  return sweep(sweep(differences).reverse()).reverse();
}

/** The last trip before a moment of the server and the first after it. */
function neighbours(trips: readonly RoundTrip[], serverNs: number): RoundTrip[] {
  const after = trips.findIndex((trip) => trip.serverNs >= serverNs);
  if (after < 0) return trips.slice(-1);
  return trips.slice(Math.max(0, after - 1), after + 1);
}
