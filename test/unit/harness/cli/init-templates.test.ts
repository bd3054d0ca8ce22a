import { expect, test } from "vitest";
import { parse } from "yaml";
import { templates } from "../../../../harness/cli/init/templates.ts";

test("the workflow is YAML with a job", () => {
  const workflow = parse(templates.find(({ path }) => path.endsWith(".yml"))?.contents ?? "");
  expect(Object.keys(workflow.jobs)).toEqual(["harness"]);
});
