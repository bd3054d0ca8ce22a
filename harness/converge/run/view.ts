import { ABSENT } from "../../contracts/crdt-adapter.ts";
import type { Group } from "../plan/pool.ts";

/** What a view shows for a field, or a key of it: ABSENT when there is nothing. */
export function readGroup(view: unknown, group: Group): unknown {
  if (typeof view !== "object" || view === null) return ABSENT;
  const field = (view as Record<string, unknown>)[group.field.name];
  if (!group.keyed) {
    return field !== undefined || Object.hasOwn(view, group.field.name) ? field : ABSENT;
  }
  if (typeof field !== "object" || field === null) return ABSENT;
  if (field instanceof Map) return field.has(group.key) ? field.get(group.key) : ABSENT;
  const value = (field as Record<string, unknown>)[group.key];
  if (value !== undefined && group.plainKey) return value;
  return Object.hasOwn(field, group.key) ? value : ABSENT;
}

/** The keys that a keyed field shows. */
export function keysOf(view: unknown, field: string): readonly unknown[] {
  const shown = (view as Record<string, unknown> | null | undefined)?.[field];
  if (typeof shown !== "object" || shown === null) return [];
  return shown instanceof Map ? [...shown.keys()] : Object.keys(shown);
}

/** A list or set as shown, as an array: [] when absent, undefined when it is nothing of the kind. */
export function asItems(shown: unknown): readonly unknown[] | undefined {
  if (Array.isArray(shown)) return shown;
  if (shown === ABSENT) return NOTHING;
  if (typeof shown === "string" || shown instanceof Set) return [...shown];
  return undefined;
}

const NOTHING: readonly unknown[] = [];
