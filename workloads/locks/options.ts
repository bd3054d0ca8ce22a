import { z } from "zod";

/** A duration in whole milliseconds, as an option of a lock. */
export const milliseconds = z.coerce.number().int().positive();

/**
 * The options of a lock, held against what it understands.
 * @throws Error that names the lock, the option and what it must be
 */
export function readOptions<Shape extends z.ZodRawShape>(
  lock: string,
  shape: Shape,
  options: Readonly<Record<string, unknown>>,
): z.infer<z.ZodObject<Shape>> {
  const parsed = z.strictObject(shape).safeParse(options);
  if (parsed.success) return parsed.data as z.infer<z.ZodObject<Shape>>;
  const names = Object.keys(shape);
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw new Error(
    `options of ${lock}: ${problems.join("; ")}. It understands ${names.length === 0 ? "none" : names.join(", ")}.`,
  );
}
