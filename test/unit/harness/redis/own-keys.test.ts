import { expect, it } from "vitest";
import { escapePattern } from "../../../../harness/redis/own-keys.ts";

it("makes a pattern that matches only the text itself", () => {
  expect(escapePattern("holdfast:run1:")).toBe("holdfast:run1:");
  expect(escapePattern("a*b?c[d]e\\f^g-h")).toBe("a\\*b\\?c\\[d\\]e\\\\f\\^g\\-h");
});
