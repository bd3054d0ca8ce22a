import type { CommandEntry } from "./commands/index.ts";
import { columnOf, type Row, table } from "./table.ts";

/** What `harness` alone and `harness --help` show. */
export function formatStartPage(commands: readonly CommandEntry[], width: number): string {
  const has = (name: string) => commands.some((command) => command.name === name);
  const tries: Row[] = [
    ["harness lock", "the main experiment, with a Redis of its own: a minute and a half"],
    ["harness lock --dry-run", "what it would do; nothing is started"],
    ["harness lock --lock ./my-lock.ts", "your own lock under the same faults"],
  ];
  if (has("converge")) tries.push(["harness converge --regions 3", "do replicas converge, and to the right thing?"]);
  tries.push(["harness init", "files to begin with: a configuration, a lock, a CRDT, a CI workflow"]);
  const sections: { title: string; rows: Row[] }[] = [{ title: "Try", rows: tries }];
  for (const group of ["Run", "Look", "Set up"] as const) {
    const rows = commands.filter((command) => command.group === group);
    sections.push({ title: group, rows: rows.map(({ name, summary }) => [name, summary]) });
  }
  const column = columnOf(sections.flatMap(({ rows }) => rows));
  const lines = [
    "Does your Redis lock hold, and do your replicas converge?",
    ...sections.flatMap(({ title, rows }) =>
      rows.length === 0 ? [] : ["", `${title}:`, ...table(rows, width, column)],
    ),
    "",
    "Installed in a project, the command is `npx harness`.",
    "`harness COMMAND --help` explains a command; `harness --version` shows the version.",
  ];
  return `${lines.join("\n")}\n`;
}
