/** Text in a cell of a table. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export const code = (text: string): string => `\`${text}\``;

/** A table as the formatter of this repository would leave it: one row a line, no padding. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`);
  return lines.join("\n");
}

/** A page of the reference, with a word on where it comes from. */
export function page(title: string, introduction: string, sections: readonly string[]): string {
  const note = "<!-- Made from the registries by `npm run docs`. Change what is written there, not this page. -->";
  return `${[`# ${title}`, note, introduction, ...sections].join("\n\n")}\n`;
}

/** `summary` without its full stop -> a sentence. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
