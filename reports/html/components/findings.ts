import type { Evidence } from "../../../harness/contracts/check.ts";
import { describeEvidence } from "../../evidence/describe.ts";
import type { FaultSpan } from "../../evidence/lanes.ts";
import { formatNumber } from "../../format.ts";
import type { ShownFinding } from "../../terminal/findings.ts";
import { workerLanes } from "../charts/worker-lanes.ts";
import { html, type Markup, name } from "../markup.ts";

const mostFindings = 40;
const mostEvents = 60;

/** Every finding with the lanes of its workers and the excerpt of the history that proves it. */
export function findingList(
  findings: readonly ShownFinding[],
  near: (finding: ShownFinding) => readonly FaultSpan[] = () => [],
  prefix = "",
): Markup {
  const ordered = findings.toSorted((a, b) => Number(a.inherent ?? false) - Number(b.inherent ?? false));
  const left = ordered.length - mostFindings;
  return html`${ordered.slice(0, mostFindings).map((found, index) => finding(found, index, near(found), prefix))}${left > 0 && html`<p class="quiet">${formatNumber(left)} more findings are in result.json.</p>`}`;
}

function finding(found: ShownFinding, index: number, near: readonly FaultSpan[], prefix: string): Markup {
  const inherent = found.inherent === true;
  const id = `${prefix}finding-${index + 1}`;
  const title = `${name(found.check)}: ${name(found.class)}`;
  return html`<article class="finding${inherent && " inherent"}" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3>
<p class="who">${name(found.arm)}, ${formatNumber(found.count)} ×${inherent && ": any lock has it, it does not fail the run"}</p><p>${found.message}</p>
${workerLanes(found.evidence as readonly Evidence[], title, near)}${eventList(found.evidence as readonly Evidence[], index < 3)}</article>`;
}

function eventList(evidence: readonly Evidence[], open: boolean): Markup {
  if (evidence.length === 0) return html``;
  const { common, events } = describeEvidence(evidence.slice(0, mostEvents));
  const left = evidence.length - events.length;
  const items = events.map(
    ({ sinceFirstMs, actor, what, facts, note }, index) =>
      html`<li><span class="n">${index + 1}</span><span class="t">${index === 0 ? "0 ms" : `+${formatNumber(sinceFirstMs, 3)} ms`}</span><span class="a">${actor}</span><span class="w">${what}${facts.length > 0 && html` <span class="fact">${facts.join(", ")}</span>`}${note !== undefined && html`<span class="note">← ${note}</span>`}</span></li>`,
  );
  const intro = common.length === 0 ? "" : html`<p class="small quiet">All in ${common.join(", ")}.</p>`;
  return html`<details${open && html` open`}><summary>Evidence, ${evidence.length} events in order</summary>${intro}<ol class="events">${items}</ol>${left > 0 && html`<p class="small quiet">${formatNumber(left)} more events are in result.json.</p>`}</details>`;
}
