import type { Evidence, Finding } from "../../harness/contracts/check.ts";
import { visible } from "../escape.ts";
import { describeEvidence } from "../evidence/describe.ts";
import { formatNumber } from "../format.ts";
import type { Paint } from "./paint.ts";
import { columns, padEnd, padStart, paragraph } from "./text.ts";

export type ShownFinding = Omit<Finding, "evidence" | "inherent"> & {
  inherent?: boolean | undefined;
  evidence: readonly { atNs: number; round: number }[];
};

const longest = 40;
const mostFindings = 10;

/** Each finding with the excerpt of the history that proves it; those that fail come first. */
export function renderFindings(findings: readonly ShownFinding[], paint: Paint, width: number): string {
  const ordered = [...findings].sort((a, b) => Number(a.inherent ?? false) - Number(b.inherent ?? false));
  const shown = ordered.slice(0, mostFindings).map((finding) => renderFinding(finding, paint, width));
  const left = ordered.length - shown.length;
  return [...shown, ...(left > 0 ? [paint.quiet(`${formatNumber(left)} more findings are in the report.`)] : [])].join(
    "\n\n",
  );
}

function renderFinding(finding: ShownFinding, paint: Paint, width: number): string {
  const inherent = finding.inherent === true;
  const kind = `${visible(finding.check, 60)}: ${visible(finding.class, 60)}`;
  const head = `${inherent ? paint.quiet("•") : paint.tone("bad", "✗")} ${paint.strong(kind)}  ${visible(finding.arm, 60)}, ${formatNumber(finding.count)} ×${inherent ? paint.quiet("  (any lock has it; does not fail)") : ""}`;
  const lines = evidenceLines(finding.evidence as readonly Evidence[], paint, width);
  return [head, paragraph(visible(finding.message, 1000), width, "  "), ...lines].join("\n");
}

function evidenceLines(evidence: readonly Evidence[], paint: Paint, width: number): string[] {
  const { common, events: described } = describeEvidence(evidence.slice(0, longest));
  const times = described.map(({ sinceFirstMs }, index) =>
    index === 0 ? "0 ms" : `+${formatNumber(sinceFirstMs, 3)} ms`,
  );
  const timeWidth = Math.max(...times.map(columns), 0);
  const actorWidth = Math.max(...described.map(({ actor }) => columns(actor)), 0);
  const indent = " ".repeat(4 + timeWidth + 2 + actorWidth + 2);
  const lines = described.flatMap(({ actor, what, facts, note }, index) => {
    const lead = `    ${padStart(times[index] ?? "", timeWidth)}  ${padEnd(actor, actorWidth)}  `;
    const line = paragraph([what, ...facts].join(", "), width, indent, paint.quiet(lead));
    return note === undefined ? [line] : [line, paint.strong(paragraph(`← ${note}`, width, indent))];
  });
  if (common.length > 0) lines.unshift(paint.quiet(`    ${common.join(", ")}`));
  const more = evidence.length - longest;
  return more > 0 ? [...lines, paint.quiet(`    ... ${formatNumber(more)} more events in the result file`)] : lines;
}
