import { expect, test } from "vitest";
import { pageText } from "../../bench/page.ts";
import { readPage } from "../../documentation/page.ts";

const measurement = { machine: "two cores, load 0.1", date: "2026-01-31" };
const result = (name: string, value: number) => ({
  name,
  method: `how ${name} is measured`,
  figures: [{ name: "p50", measured: `${value} ms`, peer: "bare 1 ms", value, unit: "x", goal: { atMost: 2 } }],
});

test("figures are put on the page; those of other benchmarks stay", () => {
  const first = pageText("", [result("start-up", 1.5), result("proxy", 3)], measurement);
  expect(first).toContain("| p50 | 1.5 ms | bare 1 ms | 1.50 x | <= 2 x | yes |");
  expect(first).toContain("| p50 | 3 ms | bare 1 ms | 3.00 x | <= 2 x | no |");
  expect(first).toContain("Measured on 2026-01-31: two cores, load 0.1.");
  const second = pageText(first, [result("proxy", 1)], { ...measurement, date: "2026-02-01" });
  expect(second).toContain("| p50 | 1.5 ms |");
  expect(second).toContain("| p50 | 1 ms | bare 1 ms | 1.00 x | <= 2 x | yes |");
  expect(second).not.toContain("3 ms");
  expect(second.match(/^## .*/gm)).toEqual(["## start-up", "## proxy"]);
  expect(pageText(second, [], measurement)).toBe(second);
  expect(readPage(second).commands).toHaveLength(1);
});
