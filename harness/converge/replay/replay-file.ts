import { z } from "zod";
import { messageOf, UsageError } from "../../errors.ts";
import type { CrdtRef } from "../adapter/crdt-ref.ts";
import { EVENT_KINDS, HEADER, STRIDE } from "../plan/event.ts";

const REPLAY_SCHEMA = "harness.counterexample/1";

/** Arguments are taken modulo what there is to choose from, so that any number will do that is not negative. */
const argument = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

const replaySchema = z.object({
  schema: z.literal(REPLAY_SCHEMA),
  crdt: z.object({
    name: z.string().min(1),
    /** As it was named on the command line: a name, or the path of a module. */
    argument: z.string().min(1),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
  regions: z.int().min(2).max(9),
  /** `unit`: increments are +1 and values fresh, as in an exhaustive search. */
  arguments: z.enum(["any", "unit"]),
  /** Whether the deep oracles are asked. */
  deep: z.boolean(),
  /** Every oracle after every step. */
  all: z.boolean(),
  seed: z.int(),
  index: z.int(),
  oracle: z.string(),
  expected: z.string(),
  actual: z.string(),
  schedule: z
    .array(argument)
    .min(HEADER)
    .refine(
      (numbers) => (numbers.length - HEADER) % STRIDE === 0,
      `has a header of ${HEADER} and ${STRIDE} numbers per event`,
    )
    .check(({ value, issues }) => {
      for (let at = HEADER; at < value.length; at += STRIDE) {
        const kind = value[at]!;
        if (kind < EVENT_KINDS.length) continue;
        const message = `event ${(at - HEADER) / STRIDE} is of kind ${kind}, and kinds go from 0 to ${EVENT_KINDS.length - 1}`;
        issues.push({ code: "custom", input: value, path: [at], message });
      }
    }),
});

/** A counterexample as a file: everything that it takes to run it again. */
export type ReplayFile = z.infer<typeof replaySchema>;

/** What a thread needs of it. */
export type ReplayRequest = Pick<ReplayFile, "regions" | "arguments" | "deep" | "all" | "schedule">;

/**
 * Reads the text of a replay file.
 * @param where its path, for messages
 * @throws UsageError when it is torn, of another kind, or of another version
 */
export function parseReplayFile(text: string, where: string): ReplayFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${where} is no JSON: ${messageOf(error)}. It may have been cut short.`, {
      code: "BAD_REPLAY",
    });
  }
  const found = typeof json === "object" && json !== null ? (json as { schema?: unknown }).schema : undefined;
  if (found !== REPLAY_SCHEMA) {
    const isOther = typeof found === "string" && found.startsWith("harness.counterexample/");
    throw new UsageError(
      isOther
        ? `${where} is a counterexample of another version (${found}); this version of holdfast reads ${REPLAY_SCHEMA}.`
        : `${where} is no counterexample of holdfast: its "schema" is ${JSON.stringify(found)}, not "${REPLAY_SCHEMA}".`,
      { code: "BAD_REPLAY" },
    );
  }
  const parsed = replaySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  - ${path.join(".")}: ${message}`);
  throw new UsageError(`${where} is damaged:\n${problems.join("\n")}`, { code: "BAD_REPLAY" });
}

/** The text of a replay file. The same counterexample always gives the same bytes. */
export function formatReplayFile(replay: Omit<ReplayFile, "schema">): string {
  const { crdt, schedule, ...rest } = replay;
  const file = { schema: REPLAY_SCHEMA, crdt, ...rest, schedule: "@" };
  const header = schedule.slice(0, HEADER);
  const events = Array.from({ length: (schedule.length - HEADER) / STRIDE }, (_, event) =>
    schedule.slice(HEADER + event * STRIDE, HEADER + (event + 1) * STRIDE),
  );
  // One event a line, so that two counterexamples can be compared by eye.
  const lines = [header, ...events].map((numbers) => `    ${numbers.join(", ")}`).join(",\n");
  return `${JSON.stringify(file, undefined, 2).replace('"@"', `[\n${lines}\n  ]`)}\n`;
}

/** The reference and argument of a CRDT as they stand in a replay file. */
export function crdtOf({ name, argument, options }: CrdtRef): ReplayFile["crdt"] {
  return { name, argument: argument ?? name, ...(options === undefined ? {} : { options: { ...options } }) };
}
