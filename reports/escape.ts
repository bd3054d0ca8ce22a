const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that came from outside, safe inside HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

// C0 and C1 control characters, bidirectional controls, zero-width characters, lone surrogates, the byte order mark.
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Makes characters seen that would otherwise act (terminal escapes, line breaks, right-to-left overrides) and cuts what
 * is too long to show, saying how much there was. For every text that came from outside.
 */
export function visible(text: string, limit = 200): string {
  const cut = text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…` : text;
  const shown = cut.replace(invisible, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return text.length > limit ? `${shown} (${text.length.toLocaleString("en-US")} characters)` : shown;
}

/** Text inside a paragraph or a table cell of Markdown: no markup, HTML, mention, reference or link comes of it. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]|~]/g, (character) => `\\${character}`)
    .replace(/[&<>]/g, (character) => entities[character] ?? character)
    .replace(/[@#]|:(?=\/\/)|(?<=\bwww)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}

/** XML 1.0 text and attribute values: characters that XML cannot hold are made visible. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(invisible, (c) => (/[\n\t]/.test(c) ? c : visible(c))));
}
