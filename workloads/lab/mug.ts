import {
  addToCounterOf,
  addToSetOf,
  type Document,
  emptyDocument,
  mergeDocuments,
  removeFromSetOf,
  setField,
  view,
} from "../crdts/types/document.ts";
import { driftMs, initialHlc, joinHlc, tickHlc } from "../crdts/types/hlc.ts";
import { emptySet, type Membership } from "../crdts/types/or-set.ts";
import { emptyCounter, type PnCounter } from "../crdts/types/pn-counter.ts";
import { mapEntries, mapGet, type SortedMap } from "../crdts/types/sorted-map.ts";
import { formatTag } from "../crdts/types/tag.ts";
import { formatTimestamp, type Timestamp } from "../crdts/types/timestamp.ts";
import type { LabRegion, Line, RegionStage } from "./scene.ts";

/** A region with the mug as a document, and a hybrid logical clock. */
export interface Mug {
  readonly document: Document;
  readonly clock: Timestamp;
  /** How many tags this region used up. */
  readonly sequence: number;
}

/** Wide enough for a Cairo that is 120 s behind. */
export const LAB_GUARD_MS = 300_000;

type At = RegionStage<Mug>;

export const setPrice =
  (price: number) =>
  ({ state, wallMs }: At): Mug => {
    const clock = tickHlc(state.clock, wallMs);
    return { document: setField(state.document, "price", price, clock), clock, sequence: state.sequence };
  };

export const changeStock =
  (amount: number) =>
  ({ state: { document, clock, sequence } }: At): Mug => ({
    document: addToCounterOf(document, "stock", clock.node, amount),
    clock,
    sequence,
  });

export const addTag =
  (element: string) =>
  ({ state: { document, clock, sequence } }: At): Mug => ({
    document: addToSetOf(document, "tags", element, { region: clock.node, sequence: sequence + 1 }),
    clock,
    sequence: sequence + 1,
  });

export const removeTag =
  (element: string) =>
  ({ state: { document, clock, sequence } }: At): Mug => ({
    document: removeFromSetOf(document, "tags", element),
    clock,
    sequence,
  });

/** The message carries the whole document and the sender's clock. */
export function receive({ state, wallMs }: At, sent: Mug): Mug {
  if (driftMs(sent.clock, wallMs) > LAB_GUARD_MS)
    throw new RangeError("The lab's guard is wide enough for its clocks.");
  return {
    document: mergeDocuments(state.document, sent.document),
    clock: joinHlc(state.clock, sent.clock, wallMs),
    sequence: state.sequence,
  };
}

/** The mug as Frankfurt entered it at 200,000, and as Cairo, then at 80,000, received it. */
export function newMugs(): Record<LabRegion, Mug> {
  let fra: Mug = { document: emptyDocument(), clock: initialHlc("fra"), sequence: 0 };
  for (const change of [setPrice(100), changeStock(10), addTag("new")]) fra = change({ state: fra, wallMs: 200_000 });
  const empty: Mug = { document: emptyDocument(), clock: initialHlc("cai"), sequence: 0 };
  return { fra, cai: receive({ state: empty, wallMs: 80_000 }, fra) };
}

export function showMug({ document, clock }: Mug): Line[] {
  const { price, stock, tags } = view(document) as { price: number; stock: number; tags: string[] };
  const stamp = mapGet(document.fields, "price")?.timestamp ?? initialHlc("");
  const counter = mapGet(document.counters, "stock") ?? emptyCounter();
  return [
    { label: "price", value: String(price), inside: `stamped ${formatTimestamp(stamp)}` },
    { label: "stock", value: String(stock), inside: showSlots(counter) },
    { label: "tags", value: `[${tags.join(", ")}]`, inside: memberships(mapGet(document.sets, "tags") ?? emptySet()) },
    { label: "clock", value: formatTimestamp(clock) },
  ];
}

/** `p {fra 10} n {cai 2}`. */
export function showSlots({ p, n }: PnCounter): string {
  const side = (slots: SortedMap<number>) => mapEntries(slots).map(([region, amount]) => `${region} ${amount}`);
  return `p {${side(p).join(", ")}} n {${side(n).join(", ")}}`;
}

function memberships(set: SortedMap<Membership>): string {
  return mapEntries(set)
    .map(([element, { live, removed }]) => {
      const gone = removed.map((tag) => `${formatTag(tag)} removed`);
      return `${element} {${[...live.map(formatTag), ...gone].join(", ")}}`;
    })
    .join(" ");
}
