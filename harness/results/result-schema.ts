import { z } from "zod";
import { describeIssues, UsageError } from "../errors.ts";
import { benchResultSchema } from "./bench-schema.ts";
import { compareResultSchema } from "./compare-schema.ts";
import { convergeResultSchema } from "./converge-schema.ts";
import { lockResultSchema } from "./lock-schema.ts";
import { matrixResultSchema } from "./matrix-schema.ts";
import { unreadable } from "./stored-document.ts";
import { upgrade } from "./upgrade.ts";

/** A result of any kind. The published JSON Schema is made from it. */
export const resultSchema = z.discriminatedUnion("kind", [
  lockResultSchema,
  convergeResultSchema,
  matrixResultSchema,
  benchResultSchema,
  compareResultSchema,
]);

export type Result = z.infer<typeof resultSchema>;

/**
 * Reads a result of this or an older version. Throws a UsageError (64) for one of a newer version, or one that is none.
 * @param source where it came from, for the message
 */
export function parseResult(text: string, source: string): Result {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(source, unreadable(text, error));
  }
  const parsed = resultSchema.safeParse(upgrade(value, source));
  if (parsed.success) return parsed.data;
  throw broken(source, `${describeIssues(parsed.error)}. A newer holdfast may have written it`);
}

/** The JSON Schema of results, draft 2020-12. */
export function resultJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(resultSchema, { io: "output" }) as Record<string, unknown>;
}

function broken(source: string, problem: string): UsageError {
  return new UsageError(`${source} is no result that can be read: ${problem}.`, { code: "BAD_RESULT" });
}
