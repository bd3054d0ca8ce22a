import type { Evidence } from "../../harness/contracts/check.ts";
import { visible } from "../escape.ts";
import { describeEvidence } from "../evidence/describe.ts";
import { formatNumber } from "../format.ts";
import type { ShownFinding } from "../terminal/findings.ts";
import { codeBlock, inline } from "./table.ts";

const mostFindings = 10;
const mostEvents = 30;

/** Findings, each with its evidence folded away. */
export function markdownFindings(findings: readonly ShownFinding[]): string {
  const shown = findings
    .toSorted((a, b) => Number(a.inherent ?? false) - Number(b.inherent ?? false))
    .slice(0, mostFindings);
  const left = findings.length - shown.length;
  return [
    ...shown.map(finding),
    ...(left > 0 ? [`${formatNumber(left)} more findings are in \`result.json\`.`] : []),
  ].join("\n\n");
}

function finding(found: ShownFinding): string {
  const { common, events } = describeEvidence((found.evidence as readonly Evidence[]).slice(0, mostEvents));
  const left = found.evidence.length - events.length;
  const lines = events.map(
    ({ sinceFirstMs, actor, what, facts, note }, index) =>
      `${(index === 0 ? "0" : `+${formatNumber(sinceFirstMs, 3)}`).padStart(12)} ms  ${[`${actor} ${what}`, ...facts].join(", ")}${note === undefined ? "" : `  <- ${note}`}`,
  );
  if (common.length > 0) lines.unshift(common.join(", "));
  if (left > 0) lines.push(`... ${formatNumber(left)} more events in result.json`);
  const any = found.inherent === true ? " _(any lock has it; does not fail)_" : "";
  return `**${inline(found.check, 60)}: ${inline(found.class, 60)}**, ${inline(found.arm, 60)}, ${formatNumber(found.count)} ×${any}\n\n${inline(visible(found.message, 1000), 4000)}\n\n<details><summary>Evidence, ${found.evidence.length} events</summary>\n\n${codeBlock(lines.join("\n"))}\n\n</details>`;
}
