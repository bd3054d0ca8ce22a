import { formatFaults } from "../faults/plan-language/format.ts";
import { faultRegistry } from "../faults/registry.ts";
import { planOfCell } from "../matrix/cell-plan.ts";
import type { MatrixRequest } from "./matrix-request.ts";
import { table } from "./table.ts";
import { wrap } from "./wrap.ts";

/** The matrix that would run, for a person to read. */
export function describeMatrix(
  { plan, locks, scenarios, cells, sideBySide, workloads }: MatrixRequest,
  width: number,
): string {
  const lines = [
    ...wrap(
      `${cells.length} cells: ${locks.length} locks x ${scenarios.length} scenarios, as far as they apply, ${plan.repeat} x each, ${sideBySide} side by side; seed ${plan.seed}.`,
      width,
    ),
    "",
    ...scenarios.flatMap((scenario) => {
      const own = cells.filter((cell) => cell.scenario === scenario);
      const [first] = own;
      const faults = first ? formatFaults(planOfCell(first, workloads).rounds[0]!.faults, faultRegistry) : "";
      const names = [...new Set(own.map(({ lock }) => lock.name))];
      return [
        scenario.name,
        ...table(
          [
            ["  what", scenario.summary],
            ["  correct", scenario.correctLock],
            ["  faults", faults || "none"],
            ["  reached if", scenario.reach.map(({ name }) => name).join("; ") || "always"],
            ["  locks", names.length === locks.length ? "all" : names.join(", ") || "none"],
          ],
          width,
        ),
        "",
      ];
    }),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}
