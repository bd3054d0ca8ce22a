import { z } from "zod";
import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { UsageError } from "../../errors.ts";
import { show } from "../equality/show.ts";

const fn = z.custom<(...args: never[]) => unknown>((value) => typeof value === "function", "must be a function");
const name = z.string().min(1);
const keys = z.array(z.string()).nonempty();
const base = { name, keys: keys.optional() };
const conflict = z.enum(["lww", "any", "multi-value"]);
const writes = {
  conflict,
  values: z.array(z.unknown()).optional(),
  fresh: fn.optional(),
  deletable: z.boolean().optional(),
};

const fieldSchema = z.discriminatedUnion("type", [
  z.looseObject({ ...base, ...writes, type: z.literal("register") }),
  z.looseObject({ name, keys, ...writes, type: z.literal("map") }),
  z.looseObject({
    ...base,
    type: z.literal("set"),
    conflict: z.enum(["add-wins", "remove-wins"]),
    elements: keys.optional(),
    removable: z.boolean().optional(),
  }),
  z.looseObject({
    ...base,
    type: z.literal("counter"),
    initial: z.int().optional(),
    decrements: z.boolean().optional(),
    resets: z.boolean().optional(),
  }),
  z.looseObject({
    ...base,
    type: z.literal("bounded-counter"),
    initial: z.int().nonnegative().optional(),
    transfers: z.boolean().optional(),
  }),
  z.looseObject({ ...base, type: z.literal("list"), fresh: fn.optional() }),
  z.looseObject({ name, keys, type: z.literal("unique") }),
]);

const unique = (what: string) => (items: readonly { name: string }[]) =>
  new Set(items.map((item) => item.name)).size === items.length || `two ${what} have the same name`;

const adapterSchema = z.looseObject({
  name,
  summary: z.string().optional(),
  writesWaitFor: z.string().optional(),
  style: z.enum(["immutable", "mutable"]),
  fields: z.array(fieldSchema),
  encodings: z
    .array(z.looseObject({ name, kind: z.enum(["full", "delta", "operations"]) }))
    .nonempty("needs at least one encoding"),
  network: z
    .looseObject({
      order: z.enum(["none", "fifo", "causal"]).optional(),
      survivesDuplicates: z.boolean().optional(),
      survivesLoss: z.boolean().optional(),
    })
    .optional(),
  underGaps: z.enum(["applied", "buffered", "partial"]).optional(),
  persistsPending: z.boolean().optional(),
  exportsPending: z.boolean().optional(),
  survives: z.array(z.enum(["identity", "clock", "sequence", "buffer"])).optional(),
  genesis: fn.optional(),
  canon: fn.optional(),
  codec: z.looseObject({ encode: fn, decode: fn }).optional(),
  hlc: z.looseObject({ maxDriftMs: z.number().nonnegative(), messageStamp: fn }).optional(),
  operations: z.array(z.looseObject({ name, arguments: z.array(z.unknown()).optional() })).optional(),
  oracles: z.array(z.looseObject({ name, summary: z.string(), tier: z.enum(["step", "end"]), check: fn })).optional(),
  broken: z.looseObject({ wrongThought: z.string(), caughtBy: z.array(z.string()).nonempty() }).optional(),
  create: fn,
  load: fn,
});

/**
 * Sees that what a module gave is an adapter, as far as can be seen without running it.
 * @param where the module, for the message
 * @throws UsageError that lists everything that is wrong
 */
export function checkAdapter(adapter: unknown, where: string): CrdtAdapter {
  const parsed = adapterSchema.safeParse(adapter);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  if (parsed.success) {
    for (const [what, items] of [
      ["fields", parsed.data.fields],
      ["encodings", parsed.data.encodings],
    ] as const) {
      const verdict = unique(what)(items);
      if (typeof verdict === "string") problems.push(verdict);
    }
    if (parsed.data.fields.length === 0 && (parsed.data.operations ?? []).length === 0) {
      problems.push("it has neither fields nor operations of its own, so that there is nothing to do with it");
    }
  }
  if (problems.length === 0) return adapter as CrdtAdapter;
  const got = typeof adapter === "object" && adapter !== null ? "" : ` (it gave ${show(adapter)})`;
  throw new UsageError(
    `${where} gives no CRDT adapter${got}:\n${problems.map((problem) => `  - ${problem}`).join("\n")}\nSee CrdtAdapter in holdfast's types.`,
    { code: "BAD_ADAPTER" },
  );
}
