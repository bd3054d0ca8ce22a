import { expect, test } from "vitest";
import { parse } from "yaml";
import { templates } from "../../../../harness/cli/init/templates.ts";

test("the workflow is YAML with a job", () => {
  const workflow = parse(templates.find(({ path }) => path.endsWith(".yml"))?.contents ?? "");
  expect(Object.keys(workflow.jobs)).toEqual(["harness"]);
  expect(workflow).toMatchObject({ permissions: { contents: "read" }, on: { push: { branches: ["main"] } } });
  expect(workflow.jobs.harness["timeout-minutes"]).toBeGreaterThan(0);
});
