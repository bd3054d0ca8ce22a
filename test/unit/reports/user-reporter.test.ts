import { describe, expect, it } from "vitest";
import { defineReporter, readReporterModule } from "../../../reports/user-reporter.ts";
import { context } from "../../fixtures/results/context.ts";
import { lockResult } from "../../fixtures/results/lock-result.ts";

const reporter = defineReporter({ onResult: ({ status }) => ({ stdout: status }) });

describe("a user's reporter module", () => {
  it.each([
    ["its default export", { default: reporter }],
    ["a default within a default, as CommonJS gives it", { default: { default: reporter } }],
    ["an export called reporter", { reporter }],
    ["a function that makes it", { default: () => reporter }],
  ])("may be %s", async (_, exports) => {
    const read = readReporterModule(exports);
    if (typeof read === "string") throw new Error(read);
    expect(await read.onResult?.(lockResult(), context)).toEqual({ stdout: "passed" });
  });

  it("keeps its `this`", async () => {
    class Mine {
      greeting = "hello";
      onResult() {
        return { stdout: this.greeting };
      }
    }
    const read = readReporterModule({ default: new Mine() });
    if (typeof read === "string") throw new Error(read);
    expect(await read.onResult?.(lockResult(), context)).toEqual({ stdout: "hello" });
  });

  it.each([[{}], [null], [{ default: 7 }], [{ default: {} }], [{ onResult: "no" }]])(
    "says what is wrong with %j",
    (exports) => {
      expect(readReporterModule(exports)).toContain("onResult(result, context)");
    },
  );
});
