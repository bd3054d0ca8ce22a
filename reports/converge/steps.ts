import type { ConvergeFailure, ConvergeStep } from "../../harness/results/converge-schema.ts";
import { formatNumber } from "../format.ts";

export interface Arrow {
  number: number;
  from: { region: number; step: number };
  /** Where it arrived; absent: it stayed in flight. */
  to: { region: number; step: number; lost: boolean } | undefined;
  /** The region it was meant for. */
  target: number;
}

/** The messages of a counterexample as arrows between its steps. A message delivered twice is two arrows. */
export function arrowsOf({ steps }: ConvergeFailure): Arrow[] {
  const sent = new Map<number, { region: number; step: number; target: number }>();
  const arrows: Arrow[] = [];
  const arrived = new Set<number>();
  for (const [index, step] of steps.entries()) {
    if (step.received !== undefined) {
      const { number, from, to } = step.received;
      const origin = sent.get(number);
      arrived.add(number);
      arrows.push({
        number,
        from: { region: origin?.region ?? from, step: origin?.step ?? Math.max(0, index - 1) },
        to: { region: to, step: index, lost: step.kind === "lose" },
        target: to,
      });
    }
    for (const { number, from, to } of step.sent ?? []) sent.set(number, { region: from, step: index, target: to });
  }
  for (const [number, { region, step, target }] of sent) {
    if (!arrived.has(number)) arrows.push({ number, from: { region, step }, to: undefined, target });
  }
  return arrows;
}

/** "(l, c)"; the wall clock where there is no hybrid one, and only when it has moved. */
export function clockLabel({ clock, kind }: ConvergeStep): string {
  if (clock === undefined) return "";
  if (clock.l === undefined) return kind === "clock" ? `it shows ${formatNumber(clock.wallMs)} ms` : "";
  return `(${formatNumber(clock.l)}, ${clock.c ?? 0})`;
}
