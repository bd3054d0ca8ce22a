import { escapeMarkdown, visible } from "../escape.ts";

/** Text from outside within a line of Markdown. */
export function inline(text: string, limit = 300): string {
  return escapeMarkdown(visible(text, limit));
}

/** A block of code that its contents cannot end. */
export function codeBlock(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A table; the first `texts` columns are text, the others are figures. Cells are Markdown already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index < texts ? ":--" : "--:"))), ...rows.map(line)].join("\n");
}

/** Sentences as a list. */
export function sentencesList(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${inline(sentence, 1500)}`).join("\n");
}

export const statusSign = { passed: "✅", failed: "❌", unknown: "❔", interrupted: "⏸️" } as const;
