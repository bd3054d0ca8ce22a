import type { LockResult } from "../../harness/results/lock-schema.ts";
import { visible } from "../escape.ts";
import { formatDuration, formatLength, plural } from "../format.ts";
import { adviceSentences, boundsSentences, footnotes, removedSentences } from "../lock/sentences.ts";
import { comparisonTable } from "../lock/table.ts";
import { markdownFindings } from "./findings.ts";
import { codeBlock, inline, markdownTable, sentencesList } from "./table.ts";
import { markdownVerdict } from "./verdict.ts";

/** The report of a lock experiment as GitHub-flavoured Markdown. */
export function renderLockMarkdown(result: LockResult): string {
  const sections = [
    ...markdownVerdict(result),
    `<sub>${plural(result.arms.length, "arm")}, ${plural(result.plan.rounds, "round")} of ${formatDuration(result.plan.roundMs)}, seed ${result.seed}, ${formatLength(result.durationMs)}</sub>`,
    table(result),
    sentencesList([...removedSentences(result), ...boundsSentences(result)]),
    result.findings.length === 0 ? "" : `### Findings\n\n${markdownFindings(result.findings)}`,
    sentencesList(result.warnings.map((warning) => `Warning: ${warning}`)),
    details("Advice", sentencesList(adviceSentences(result).map(({ topic, text }) => `${topic}: ${text}`))),
    footnotes(result)
      .map((note) => `<sub>${inline(note, 1000)}</sub>`)
      .join("<br>\n"),
    `Run it again:\n\n${codeBlock(visible(result.replay, 2000), "sh")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function table(result: LockResult): string {
  const { columns, rows } = comparisonTable(result);
  return markdownTable(
    [
      "",
      ...columns.map(({ role, name }) => `${inline(name)}<br><sub>${role}</sub>`),
      "article<br><sub>without → with</sub>",
    ],
    rows.map(({ label, part, key, cells, article }) => [
      part === true ? `&nbsp;&nbsp;${label}` : key === true ? `**${label}**` : label,
      ...cells.map(({ text, tone }) => (tone === "bad" ? `**${text}**` : text)),
      article,
    ]),
  );
}

function details(summary: string, content: string): string {
  return content === "" ? "" : `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
