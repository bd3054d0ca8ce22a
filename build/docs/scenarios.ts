import type { Scenario } from "../../harness/contracts/scenario.ts";
import { scenarioRegistry } from "../../workloads/scenarios/registry.ts";
import { code, page, sentence } from "./markdown.ts";

export function scenariosPage(): string {
  return page(
    "Scenarios",
    "Names for `--scenario` of `harness matrix`, which takes every one unless some are named. A scenario that did not come " +
      "about as its conditions say is *unknown*, never *held*. `harness matrix --dry-run` shows the explicit faults.",
    scenarioRegistry.map(section),
  );
}

function section({ name, summary, correctLock, reach, premises = [] }: Scenario): string {
  return [
    `## ${name}`,
    `${sentence(summary)} What a correct lock shows: ${correctLock.charAt(0).toLowerCase()}${sentence(correctLock.slice(1))}`,
    `Reached if ${reach.map((condition) => condition.name).join("; ")}.`,
    ...premises.map(
      (premise) => `Does not count: ${code(premise.check)} (${premise.class}), since ${sentence(premise.why)}`,
    ),
  ].join("\n\n");
}
