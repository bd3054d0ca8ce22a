import { binary } from "./binary.ts";
import { csv } from "./csv.ts";
import type { ExportFormat } from "./format.ts";
import { jepsen } from "./jepsen.ts";
import { json } from "./json.ts";

/** Every form that `harness export` writes. */
export const exportFormats: readonly ExportFormat[] = [csv, json, jepsen, binary];
