import { checkRegistry } from "../../harness/checks/registry.ts";
import { ORACLES } from "../../harness/converge/oracles/registry.ts";
import { zoo } from "../../workloads/crdts/zoo.ts";
import { code, page, sentence, table } from "./markdown.ts";

export function checksPage(): string {
  return page(
    "Checks",
    "Pure functions from the history of a run to findings. [checks.md](../checks.md) says what they rest on.",
    checkRegistry.map(({ name, summary, classes, needsTrace }) =>
      [
        `## ${name}`,
        `${sentence(summary)}${needsTrace ? " It judges what the servers saw, and says nothing of a run without a command trace." : ""}`,
        table(
          ["class", "what it means"],
          Object.entries(classes).map(([kind, meaning]) => [kind, meaning]),
        ),
      ].join("\n\n"),
    ),
  );
}

const tiers: Readonly<Record<string, string>> = {
  step: "after every step",
  end: "at the end of every schedule",
  deep: "in a drawn part of the schedules",
};

export function oraclesPage(): string {
  const mutantsOf = (oracle: string) =>
    Object.entries(zoo).flatMap(([name, [, ...oracles]]) => (oracles.some((one) => one === oracle) ? [name] : []));
  return page(
    "Oracles",
    "What judges replicas, in the order in which they are asked: the first that speaks gives a failure its name. [oracles.md](../oracles.md) says what they compare with.",
    [
      table(
        ["oracle", "it speaks when", "asked", "in the zoo it catches"],
        ORACLES.map(({ name, summary, tier }) => [
          code(name),
          summary,
          tiers[tier] ?? tier,
          mutantsOf(name).map(code).join(", "),
        ]),
      ),
    ],
  );
}
