import { expect, test } from "vitest";
import { differingRows } from "../../../../harness/checks/differing-rows.ts";
import { indexRound } from "../../../../harness/checks/round-index.ts";
import type { HistoryEvent } from "../../../../harness/contracts/history.ts";
import { runOf, witnessed } from "./hand-written.ts";

const row = (atMs: number, id: string, document: string, value: number, outcome = "accepted") =>
  witnessed(atMs, id, { outcome, detail: { document, value } });
const rows = (events: HistoryEvent[]) => differingRows(indexRound(runOf(events).armRounds[0]!));

test("rows that were written twice with the same value are unharmed", () => {
  expect(
    rows([row(1, "j1/1@1.1", "row j1", 7), row(2, "j1/2@2.1", "row j1", 7), row(3, "j2/1@1.1", "row j2", 8)]),
  ).toEqual([]);
});

test("another value harms a row; one that was refused does not", () => {
  const first = row(1, "j1/1@1.1", "row j1", 7);
  expect(rows([first, row(2, "j1/2@2.1", "row j1", 9)])).toEqual(["row j1"]);
  expect(rows([first, row(2, "j1/2@2.1", "row j1", 9, "fenced")])).toEqual([]);
});
