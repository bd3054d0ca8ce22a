import pc from "picocolors";
import type { Status } from "../../harness/results/common-schema.ts";
import type { Tone } from "../lock/table.ts";

type Colours = ReturnType<typeof pc.createColors>;

export interface Paint {
  strong(text: string): string;
  quiet(text: string): string;
  link(text: string): string;
  tone(tone: Tone, text: string): string;
  status(status: Status): string;
}

/** Colours of the terminal reports. The caller decides whether there are any (NO_COLOR, FORCE_COLOR, no TTY). */
export function createPaint(colour: boolean): Paint {
  const colours = pc.createColors(colour);
  return {
    strong: colours.bold,
    quiet: colours.dim,
    link: colours.cyan,
    tone: (tone, text) => tones(colours)[tone](text),
    status: (status) => badge(colours, status),
  };
}

function tones(colours: Colours): Record<Tone, (text: string) => string> {
  return {
    plain: (text) => text,
    good: colours.green,
    bad: (text) => colours.bold(colours.red(text)),
    quiet: colours.dim,
  };
}

function badge(colours: Colours, status: Status): string {
  const text = ` ${status.toUpperCase()} `;
  if (!colours.isColorSupported) return text.trim();
  const ground = {
    passed: colours.bgGreen,
    failed: colours.bgRed,
    unknown: colours.bgYellow,
    interrupted: colours.bgMagenta,
  }[status];
  return ground(colours.bold(status === "failed" ? colours.white(text) : colours.black(text)));
}
