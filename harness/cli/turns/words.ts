import { UsageError } from "../../errors.ts";

/** Splits a text into words as a POSIX shell would, without expanding anything: quotes hold a word together. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === "\\" && quote !== "'" && index + 1 < text.length) {
      index += 1;
      word = (word ?? "") + text[index];
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== undefined) throw new UsageError(`${text}: a quote ${quote} is not closed.`, { code: "BAD_VALUE" });
  return word === undefined ? words : [...words, word];
}
