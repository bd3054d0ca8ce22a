import { machineNeeds } from "../../harness/cli/commands/list.ts";
import type { FaultDescription, FaultParameter } from "../../harness/contracts/fault.ts";
import { faultRegistry } from "../../harness/faults/registry.ts";
import { code, page, sentence, table } from "./markdown.ts";

const groups = { network: "Network", redis: "Redis", worker: "Workers" } as const;

export function faultsPage(): string {
  return page(
    "Faults",
    "Names and parameters for `--faults`. Every fault also takes `at=` (since the start of the round; default `0s`), `every=` and " +
      "`for=`, or `on=grant|extend|release|effect|command(NAME, key)` with `nth=` and `after=`; and `target=`, several joined with `+`.",
    Object.entries(groups).map(([group, title]) =>
      [`## ${title}`, ...faultRegistry.filter((fault) => fault.group === group).map(section)].join("\n\n"),
    ),
  );
}

function section({
  name,
  aliases = [],
  summary,
  parameters,
  targets,
  defaultTarget,
  lasts,
  needsOwnServer,
  needs,
  topologies,
}: FaultDescription): string {
  const facts = [
    `Target: ${targets.map(code).join(" or ")}${defaultTarget ? `, by default ${code(defaultTarget)}` : ""}.`,
    lasts ? "It lasts." : "It happens at one instant.",
    ...(topologies ? [`Only with the topology ${topologies.map(code).join(" or ")}.`] : []),
    ...(needs ? [`It ${machineNeeds[needs]}.`] : []),
    ...(needsOwnServer
      ? ["Refused on a server that the run does not own, unless `--allow-faults-on-external` is given."]
      : []),
  ];
  const rows = Object.entries(parameters);
  return [
    `### ${name}`,
    `${sentence(summary)}${aliases.length > 0 ? ` Also called ${aliases.map(code).join(", ")}.` : ""} ${facts.join(" ")}`,
    ...(rows.length === 0
      ? []
      : [
          table(
            ["parameter", "default", "what it does"],
            rows.map(([key, one]) => [code(`${key}=${kindOf(one)}`), presetOf(one), one.summary]),
          ),
        ]),
  ].join("\n\n");
}

const kindOf = ({ values, type }: FaultParameter): string => values?.join("/") ?? type;

const presetOf = ({ required, default: preset }: FaultParameter): string =>
  required ? "required" : preset === undefined ? "" : code(preset);
