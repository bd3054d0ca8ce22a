import type { NamedReporter } from "../../reporters.ts";

export interface MergeOptions {
  argv: readonly string[];
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
}
