// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of this module's own output
const colourCode = /\u001b\[[0-9;]*m/g;
// Two columns: CJK, Hangul, full-width forms, emoji. None: combining marks.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const combining = /\p{M}/u;

/** Columns that a text takes on a terminal, colour codes not counted. */
export function columns(text: string): number {
  let count = 0;
  for (const character of text.replace(colourCode, "")) {
    if (combining.test(character)) continue;
    count += wide.test(character) ? 2 : 1;
  }
  return count;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - columns(text))) + text;
}

/** Breaks at spaces; a word longer than a line is broken where the line ends. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(10, width);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((part) => chop(part, room))) {
    if (line !== "" && columns(line) + 1 + columns(word) > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Wrapped, each line after `indent`, the first after `lead`. */
export function paragraph(text: string, width: number, indent = "", lead = indent): string {
  const lines = wrap(text, width - columns(indent));
  return lines.map((line, index) => (index === 0 ? lead : indent) + line).join("\n");
}

function chop(word: string, room: number): string[] {
  if (columns(word) <= room) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (columns(part + character) > room) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}
