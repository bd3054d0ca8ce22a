import type { BuiltInReporter } from "../registry.ts";
import { renderLockHtml } from "./lock.ts";

const file = (text: string) => ({ files: { "report.html": text } });

export const htmlReporter: BuiltInReporter = {
  name: "html",
  summary: "One self-contained page with charts, evidence and numbers; works offline, printed and without JavaScript",
  writes: "report.html",
  report: {
    lock: (result) => file(renderLockHtml(result)),
  },
};
