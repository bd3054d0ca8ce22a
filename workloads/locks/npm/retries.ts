import { z } from "zod";
import { readOptions } from "../options.ts";

/** The library's own attempts after the first: none, unless the option `retries` asks for them. */
export function readRetries(lock: string, options: Readonly<Record<string, unknown>>): number {
  const { retries = 0 } = readOptions(lock, { retries: z.coerce.number().int().nonnegative().optional() }, options);
  return retries;
}
