import { expect, test } from "vitest";
import { drawsInPlace, usesColour } from "../../../../harness/cli/colour.ts";

test.each([
  [{}, true, true, true],
  [{}, false, true, false],
  [{ NO_COLOR: "1" }, true, true, false],
  [{ NO_COLOR: "" }, true, true, true],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, true, false],
  [{ FORCE_COLOR: "1" }, false, true, true],
  [{ FORCE_COLOR: "0" }, true, true, false],
  [{ FORCE_COLOR: "1" }, false, false, false],
  [{ TERM: "dumb" }, true, true, false],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, true, true, true],
])("%j, terminal %s, wanted %s: colours %s", (environment, isTty, wanted, colours) => {
  expect(usesColour({ environment, isTty, wanted })).toBe(colours);
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ CI: "true" }, true, false],
  [{ CI: "false" }, true, true],
  [{ TERM: "dumb" }, true, false],
])("%j, terminal %s: drawn in place %s", (environment, isTty, inPlace) => {
  expect(drawsInPlace({ environment, isTty })).toBe(inPlace);
});
