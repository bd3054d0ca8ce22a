import { escapeHtml, visible } from "../escape.ts";

/** HTML or SVG that is safe to write: only `html` and `trusted` make it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Fragment = Markup | string | number | null | undefined | false | readonly Fragment[];

const longestText = 1500;

/**
 * Builds markup. Every text put in is escaped, its invisible characters shown and its length bounded; so what came from
 * outside cannot become markup by being forgotten.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Fragment[]): Markup {
  let text = parts[0] ?? "";
  for (const [index, value] of values.entries()) text += render(value) + (parts[index + 1] ?? "");
  return new Markup(text);
}

/** For the project's own style and script alone. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

export function render(fragment: Fragment): string {
  if (fragment instanceof Markup) return fragment.text;
  if (typeof fragment === "string") return escapeHtml(visible(fragment, longestText));
  if (typeof fragment === "number") return String(Math.round(fragment * 100) / 100);
  if (fragment === null || fragment === undefined || fragment === false) return "";
  return fragment.map(render).join("");
}

/** Data of a path or a list of places: numbers and commands only, of any length. */
export function numeric(data: string | null): Markup {
  if (data !== null && !/^[MLHVCSQTAZmlhvcsqtaz0-9.,\s-]*$/.test(data))
    throw new Error(`Not path data: ${visible(data)}`);
  return new Markup(data ?? "");
}

/** A label in a drawing, where there is room for so many characters and no more. */
export function clip(text: string, most: number): string {
  const shown = visible(text.slice(0, most * 2), most * 2);
  return shown.length > most ? `${shown.slice(0, Math.max(1, most - 1))}…` : shown;
}

/** A name within running text: shorter than a sentence may be. */
export function name(text: string, limit = 60): string {
  return visible(text, limit);
}

/** A sentence in which a number stays on one line with its unit or what it counts: "39.3 %", "1 ×", "4 cells". */
export function unbroken(text: string): string {
  return text.replace(/(\d\)?) (?=[^\s→(])/g, "$1\u00a0").replace(/ → /g, "\u00a0→\u00a0");
}
