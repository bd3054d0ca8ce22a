import type { Lock, PhysicalKey } from "../../contracts/lock-adapter.ts";

/** How a lock spells its key on a node: `before`, the key, `after`. */
export interface KeyTemplate {
  node: number;
  db: number;
  role: NonNullable<PhysicalKey["role"]>;
  before: string;
  after: string;
}

const PROBES = ["holdfast-key-1", "holdfast-other-key-23"] as const;

/**
 * How a lock spells its keys, read from two examples. Undefined: it does not spell the key out, as one that hashes it.
 */
export function templatesOf(lock: Pick<Lock, "redisKeys">): KeyTemplate[] | undefined {
  const [first, second] = PROBES.map((probe) =>
    lock
      .redisKeys(probe)
      // A counter that every key shares is none of a lock's own, and is not traced.
      .filter(({ role = "lock", key }) => role === "lock" || key.includes(probe))
      .map((key) => templateOf(key, probe)),
  );
  return isWhole(first) && JSON.stringify(first) === JSON.stringify(second) ? first : undefined;
}

function templateOf({ node, db, key, role = "lock" }: PhysicalKey, probe: string): KeyTemplate | undefined {
  const at = key.indexOf(probe);
  return at < 0 ? undefined : { node, db, role, before: key.slice(0, at), after: key.slice(at + probe.length) };
}

function isWhole(templates: readonly (KeyTemplate | undefined)[] | undefined): templates is KeyTemplate[] {
  return templates?.every((template) => template !== undefined) === true;
}

/** Gives the lock's key that a physical key stands for, if it is one of role `lock` on that node. */
export type ReadKey = (db: number, physicalKey: string) => string | undefined;

/** Reads the physical keys of one node. Where several spellings fit, the most particular counts. */
export function keyReader(templates: readonly KeyTemplate[], node: number): ReadKey {
  const own = templates
    .filter((template) => template.node === node)
    .sort((a, b) => lengthOf(b) - lengthOf(a) || Number(b.role === "lock") - Number(a.role === "lock"));
  return (db, physicalKey) => {
    const fit = own.find((template) => template.db === db && fits(template, physicalKey));
    return fit?.role === "lock"
      ? physicalKey.slice(fit.before.length, physicalKey.length - fit.after.length)
      : undefined;
  };
}

const lengthOf = ({ before, after }: KeyTemplate) => before.length + after.length;

function fits({ before, after }: KeyTemplate, physicalKey: string): boolean {
  return (
    physicalKey.length > before.length + after.length && physicalKey.startsWith(before) && physicalKey.endsWith(after)
  );
}
