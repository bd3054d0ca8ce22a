/** Breaks a text at spaces into lines of at most `width` characters; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** The lines with a first prefix, and another for those that follow. */
export function hang(first: string, rest: string, text: string, width: number): string[] {
  return wrap(text, Math.max(1, width - rest.length)).map((line, at) => (at === 0 ? first : rest) + line);
}
