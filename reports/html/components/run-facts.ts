import { plural } from "../../format.ts";
import type { AnyResult } from "../../result.ts";
import { type Fragment, html, type Markup, name } from "../markup.ts";
import { command, disclosure, facts } from "./parts.ts";

type Run = Pick<AnyResult, "replay" | "argv" | "tool" | "environment" | "config">;

/** How to run it again, on which machine it ran, with which configuration: the end of every report. */
export function runFacts(
  { replay, argv, tool, environment, config }: Run,
  more: readonly (readonly [string, Fragment])[] = [],
): Markup {
  const { redis } = environment;
  const typed = `harness ${argv.join(" ")}`;
  return html`<h3>Run it again</h3>${command(replay)}<p class="small quiet">As it was typed: <code>${typed}</code></p>
${facts([
  ...more,
  [
    "Holdfast",
    `${name(tool.version)}${tool.commit === null ? "" : `, ${name(tool.commit.slice(0, 12))}`}${tool.dirty === true ? ", with local changes" : ""}`,
  ],
  ["Node and system", `Node ${name(environment.node)}, ${name(environment.os)}`],
  ["Machine", `${name(environment.cpu)}, ${plural(environment.cores, "core")}`],
  ...(redis === undefined
    ? []
    : ([["Redis", `${name(redis.version)}: ${name(redis.source)} (${name(redis.how, 300)})`]] as const)),
])}${disclosure("Configuration", configuration(config))}`;
}

function configuration(config: Readonly<Record<string, unknown>>): Markup {
  const lines = (JSON.stringify(config, null, 2) ?? "").split("\n");
  const left = lines.length - 400;
  return html`<pre class="scroll pad" tabindex="0">${lines.slice(0, 400).map((line) => html`${name(line, 300)}\n`)}${left > 0 && `... ${left} more lines in result.json`}</pre>`;
}
