import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { changeRow, emptyRow } from "../../crdts/policies/plain-row.ts";
import { laterRow, type StampedRow } from "../../crdts/policies/row-lww.ts";
import { mapGet } from "../../crdts/types/sorted-map.ts";
import { addTag, changeStock, setPrice } from "../operation.ts";
import type { Line, RegionStage, Scene } from "../scene.ts";
import { at, cross, linkBreaks, linkHeals } from "../stage.ts";

const write =
  (region: string, operation: Operation) =>
  ({ state, wallMs }: RegionStage<StampedRow>): StampedRow => ({
    row: changeRow(state.row, operation),
    updatedAt: wallMs,
    region,
  });

const MUG: StampedRow = {
  row: [setPrice(100), changeStock(10), addTag("new")].reduce(changeRow, emptyRow()),
  updatedAt: 200_000,
  region: "fra",
};

export const naiveRows: Scene<StampedRow> = {
  id: "1",
  title: "Naive rows: the greater updatedAt wins",
  setting: [
    "A shop runs in two regions, and both accept writes. Each region sends its changed rows to the other; of two " +
      "versions of a row, the one with the greater updatedAt is kept. It is the default of many databases that " +
      "replicate both ways.",
    "Nobody has noticed that Cairo's clock is 120 s behind. Clocks are in milliseconds, and stand still until a step " +
      "says otherwise.",
  ],
  start: { fra: { wallMs: 220_000, state: MUG }, cai: { wallMs: 100_000, state: MUG }, link: "up" },
  steps: [
    linkBreaks("The link between the regions breaks. Both go on selling: that is what two regions are for."),
    at("fra", "Frankfurt sets the price to 120.", write("fra", setPrice(120))),
    at("fra", "Frankfurt sells one mug.", write("fra", changeStock(-1))),
    at("cai", "A little later, Cairo sells two mugs.", write("cai", changeStock(-2))),
    at(
      "cai",
      "Cairo adds the tag sale. It is the last write of all.",
      write("cai", addTag("sale")),
      "Cairo's row now says updatedAt 100000, which is even less than the 200000 that it replaced.",
    ),
    linkHeals(),
    cross(
      "The rows cross. Each region keeps the row with the greater updatedAt.",
      ({ state }, sent) => laterRow(state, sent),
      "220000 is greater than 100000, so Frankfurt's row replaces Cairo's, whole, in both regions. Two customers in " +
        "Cairo have paid for mugs that the shop now believes to have in stock, and the tag is gone. Nothing failed, " +
        "nothing was logged, and both regions agree.",
    ),
  ],
  show: showStampedRow,
  moral:
    "Two mistakes in one: a whole row wins although the edits had nothing to do with each other, and the clock that is " +
    "ahead wins over the region that wrote last. That both regions agree says nothing: they agree on a lost update.",
};

function showStampedRow({ row, updatedAt, region }: StampedRow): Line[] {
  return [
    { label: "price", value: String(mapGet(row.fields, "price")) },
    { label: "stock", value: String(mapGet(row.counters, "stock")) },
    { label: "tags", value: `[${(mapGet(row.sets, "tags") ?? []).join(", ")}]` },
    { label: "updatedAt", value: `${updatedAt} by ${region}` },
  ];
}
