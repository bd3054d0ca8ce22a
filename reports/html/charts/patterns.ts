import { html, type Markup } from "../markup.ts";

const colours = ["network", "redis", "worker", "clock"] as const;
const shapes = ["solid", "hatch", "cross", "dots"] as const;
type Colour = (typeof colours)[number];
type Shape = (typeof shapes)[number];

export interface Look {
  colour: string;
  pattern: string;
}

/** Class and fill of a fault's window; a look nobody knows is drawn as a network fault, hatched. */
export function fillOf(look: Look): { className: string; fill: string } {
  const colour = colours.find((known) => known === look.colour) ?? "network";
  const shape = shapes.find((known) => known === look.pattern) ?? "hatch";
  return { className: `f-${colour}`, fill: `url(#p-${colour}-${shape})` };
}

/** The fills of all fault windows, once a page: they differ in black and white as well. */
export const patterns: Markup = html`<svg width="0" height="0" class="skip" aria-hidden="true" focusable="false"><defs>${colours.flatMap((colour) => shapes.map((shape) => pattern(colour, shape)))}</defs></svg>`;

function pattern(colour: Colour, shape: Shape): Markup {
  return html`<pattern id="p-${colour}-${shape}" class="f-${colour}" patternUnits="userSpaceOnUse" width="8" height="8"${shape === "hatch" ? html` patternTransform="rotate(45)"` : ""}><rect width="8" height="8" class="pattern-ground"/>${ink(shape)}</pattern>`;
}

function ink(shape: Shape): Markup | string {
  if (shape === "hatch") return html`<path d="M0 0V8" class="pattern-ink"/>`;
  if (shape === "cross") return html`<path d="M0 0L8 8M8 0L0 8" class="pattern-ink"/>`;
  if (shape === "dots") return html`<circle cx="4" cy="4" r="1.2" class="pattern-dot"/>`;
  return "";
}
