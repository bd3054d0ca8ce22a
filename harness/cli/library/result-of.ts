import { messageOf, UsageError } from "../../errors.ts";
import { type Result, resultSchema } from "../../results/result-schema.ts";
import { whatThisIs } from "./what-this-is.ts";

/**
 * What a matcher or an assertion was given, as a result of the kinds that it judges.
 * @param judge name of the matcher or the assertion, for messages
 * @param makers names of the functions that give such a result
 * @throws UsageError for anything else, such as a promise that nobody awaited
 */
export function resultOf<Kind extends Result["kind"]>(
  received: unknown,
  { judge, kinds, makers }: { judge: string; kinds: readonly Kind[]; makers: string },
): Extract<Result, { kind: Kind }> {
  const { kind } = (received ?? {}) as { kind?: unknown };
  if (!kinds.some((one) => one === kind)) {
    const what = typeof kind === "string" ? `one of the kind ${kind}` : whatThisIs(received);
    throw new UsageError(`${judge} judges a result of ${makers}; this is ${what}.`, { code: "BAD_RESULT" });
  }
  // A result of this process is taken as it is, so that its folder is known; others are read as files are.
  try {
    resultSchema.parse(received);
  } catch (error) {
    throw new UsageError(`${judge} judges a result of ${makers}; this one is not whole: ${messageOf(error)}.`, {
      code: "BAD_RESULT",
    });
  }
  return received as Extract<Result, { kind: Kind }>;
}
