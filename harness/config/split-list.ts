/** Splits at commas that are not inside parentheses: `a, b(c, d)` -> `a`, `b(c, d)`. */
export function splitList(text: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (text[index] !== "," || depth > 0) continue;
    pieces.push(text.slice(start, index));
    start = index + 1;
  }
  return [...pieces, text.slice(start)].map((piece) => piece.trim()).filter((piece) => piece !== "");
}
