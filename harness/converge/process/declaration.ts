import { z } from "zod";
import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { UsageError } from "../../errors.ts";

/** Parts of a replica that a process may or may not have. */
const abilities = ["state", "version", "collect", "tombstones", "stamp", "rights"] as const;

const declarationSchema = z.looseObject({
  name: z.string().min(1),
  can: z.array(z.enum(abilities)).default([]),
  hlc: z.object({ maxDriftMs: z.number().nonnegative() }).optional(),
});

/** What a process says of its replicas: an adapter as far as it is data, and what they can do besides. */
export interface Declaration {
  adapter: Omit<CrdtAdapter, "create" | "load">;
  can: ReadonlySet<(typeof abilities)[number]>;
}

/** Values that JSON keeps; a process may declare others of its own. */
const JSON_VALUES: readonly unknown[] = [null, "", [], {}];

/** Reads the answer to `hello`. The fields and the rest are checked with every other adapter's. */
export function readDeclaration(answer: unknown, command: string): Declaration {
  const parsed = declarationSchema.safeParse(answer);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
    throw new UsageError(`The replicas' process (${command}) does not say what it is: ${problems}.`, {
      code: "BAD_ADAPTER",
    });
  }
  const { can, hlc, fields, ...rest } = parsed.data;
  const declared = {
    ...rest,
    // Its messages and states come as JSON of their own.
    style: "mutable",
    fields: Array.isArray(fields) ? fields.map(withJsonValues) : fields,
    ...(hlc === undefined ? {} : { hlc: { ...hlc, messageStamp } }),
  };
  return { adapter: declared as unknown as Declaration["adapter"], can: new Set(can) };
}

function withJsonValues(field: unknown): unknown {
  const isRegister =
    typeof field === "object" && field !== null && ["register", "map"].includes((field as { type: string }).type);
  return isRegister ? { values: JSON_VALUES, ...field } : field;
}

/** A message of a type with a clock is an object that holds the sender's stamp. */
const messageStamp = (message: unknown) => (message as { stamp?: { l: number; c: number } }).stamp;
