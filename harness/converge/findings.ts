import type { ConvergeResult } from "../results/converge-schema.ts";
import { ORACLES } from "./oracles/registry.ts";
import type { ConvergeRun } from "./run-converge.ts";

type Findings = ConvergeResult["findings"];

/** One for each oracle that spoke against a data type. That a mutant was found out is none; that one was not, is. */
export function findingsOf({ mode, crdts }: Pick<ConvergeRun, "mode" | "crdts">): Findings {
  return mode === "zoo" ? crdts.flatMap(survivorOf) : crdts.flatMap(brokenOf);
}

function survivorOf({ name, mutant, schedules }: ConvergeRun["crdts"][number]): Findings {
  if (mutant?.killed === true) return [];
  const message = `${name} is broken (${mutant?.wrongThought ?? "on purpose"}) and was not found out in ${schedules} schedules.`;
  return [{ check: "zoo", class: "broken on purpose, and not found out", arm: name, count: 1, evidence: [], message }];
}

function brokenOf({ name, failed, failures }: ConvergeRun["crdts"][number]): Findings {
  return Object.entries(failed).map(([oracle, count]) => {
    const first = failures.find((failure) => failure.oracle === oracle);
    const shown = first ? ` Expected ${first.expected}; it shows ${first.actual}.` : "";
    return {
      check: oracle,
      class: ORACLES.find((known) => known.name === oracle)?.title ?? "an oracle of its own objects",
      arm: name,
      count,
      evidence: [],
      message: `${oracle} in ${count.toLocaleString("en")} schedule${count === 1 ? "" : "s"} of ${name}.${shown}`,
    };
  });
}
