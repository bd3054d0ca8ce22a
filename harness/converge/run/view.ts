import { ABSENT } from "../../contracts/crdt-adapter.ts";
import type { Group } from "../plan/pool.ts";

/** What a view shows for a field, or a key of it: ABSENT when there is nothing. */
export function readView(view: unknown, group: Group): unknown {
  if (typeof view !== "object" || view === null) return ABSENT;
  return readGroup(view, (view as Record<string, unknown>)[group.field.name], group);
}

/** The same, the field having been looked up. */
export function readGroup(view: object, field: unknown, group: Group): unknown {
  if (!group.keyed) {
    return field !== undefined || Object.hasOwn(view, group.field.name) ? field : ABSENT;
  }
  if (typeof field !== "object" || field === null) return ABSENT;
  if (field instanceof Map) {
    const value = field.get(group.key);
    return value !== undefined || field.has(group.key) ? value : ABSENT;
  }
  const value = (field as Record<string, unknown>)[group.key];
  if (value !== undefined && group.plainKey) return value;
  return Object.hasOwn(field, group.key) ? value : ABSENT;
}

/** A key that a keyed field shows and none of these groups has; undefined when there is none. */
export function strangeKey(shown: unknown, groups: readonly Group[]): unknown {
  if (typeof shown !== "object" || shown === null) return undefined;
  if (shown instanceof Map) {
    for (const key of shown.keys()) if (!hasKey(groups, key)) return key;
    return undefined;
  }
  for (const key in shown) if (Object.hasOwn(shown, key) && !hasKey(groups, key)) return key;
  return undefined;
}

function hasKey(groups: readonly Group[], key: unknown): boolean {
  for (let at = 0; at < groups.length; at++) if (groups[at]!.key === key) return true;
  return false;
}

/** A list or set as shown, as an array: [] when absent, undefined when it is nothing of the kind. */
export function asItems(shown: unknown): readonly unknown[] | undefined {
  if (Array.isArray(shown)) return shown;
  if (shown === ABSENT) return NOTHING;
  if (typeof shown === "string" || shown instanceof Set) return [...shown];
  return undefined;
}

const NOTHING: readonly unknown[] = [];
