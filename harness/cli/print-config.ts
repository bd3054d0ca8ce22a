import type { OptionTable } from "../config/option.ts";
import { redactValues } from "../config/redact.ts";
import type { Origin, Resolved } from "../config/resolve.ts";

/** Every value and where it comes from: a table, or one JSON document. */
export function formatConfig<Table extends OptionTable>(
  table: Table,
  { texts, origins }: Resolved<Table>,
  { json, path }: { json: boolean; path: string | undefined },
): string {
  const rows = Object.keys(table)
    .filter((key) => key !== "printConfig")
    .map((key) => ({ key, value: shown(key, texts[key], table[key]?.repeatable ?? false), origin: origins[key] }));
  if (json) {
    const values = Object.fromEntries(rows.map(({ key, value, origin }) => [key, { value: value ?? null, origin }]));
    return `${JSON.stringify({ configFile: path ?? null, values }, null, 2)}\n`;
  }
  const wide = Math.max(...rows.map(({ key }) => key.length));
  const written = rows.map(({ value }) => (value === undefined ? "-" : [value].flat().join(", ")));
  const widest = Math.min(40, Math.max(...written.map((text) => text.length)));
  const lines = rows.map(({ key, origin }, index) =>
    `${key.padEnd(wide)}  ${(written[index] ?? "").padEnd(widest)}  ${originText(origin)}`.trimEnd(),
  );
  return `${[path === undefined ? "No configuration file." : `Configuration file: ${path}`, "", ...lines].join("\n")}\n`;
}

function originText(origin: Origin | undefined): string {
  if (!origin || origin.kind === "default") return origin?.detail ? `default: ${origin.detail}` : "default";
  return `${origin.kind}: ${origin.detail}`;
}

function shown(key: string, given: readonly string[] | undefined, repeatable: boolean): string | string[] | undefined {
  if (given === undefined) return undefined;
  const redacted = redactValues(key, given);
  return repeatable ? redacted : redacted[0];
}
