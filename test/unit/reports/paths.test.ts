import { expect, it } from "vitest";
import { shownFolder } from "../../../reports/paths.ts";

it.each([
  ["/a/b/out/run", "/a/b", "out/run"],
  ["/a/b/out/run", "/a/b/", "out/run"],
  ["/a/bc/run", "/a/b", "/a/bc/run"],
  ["/a/b", "/a/b", "/a/b"],
])("%s, seen from %s, is %s", (folder, cwd, shown) => {
  expect(shownFolder({ folder, cwd })).toBe(shown);
  expect(shownFolder({ folder })).toBe(folder);
});
