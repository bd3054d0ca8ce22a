import type { BuiltInReporter } from "../registry.ts";
import { renderLockJunit } from "./lock.ts";

const file = (text: string) => ({ files: { "junit.xml": text } });

export const junit: BuiltInReporter = {
  name: "junit",
  summary: "JUnit XML, one case for each workload and check",
  writes: "junit.xml",
  report: {
    lock: (result) => file(renderLockJunit(result)),
  },
};
