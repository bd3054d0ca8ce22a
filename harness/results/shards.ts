import { z } from "zod";
import { UsageError } from "../errors.ts";

/** One of `count` equal parts of a campaign or a table, counted from 0. */
export interface Shard {
  index: number;
  count: number;
}

/** A part that a merged result was made from. */
export const mergedShardSchema = z.object({
  /** `2/5`. */
  shard: z.string(),
  /** Id of its own result, or of the agent that ran it. */
  id: z.string(),
  startedAt: z.iso.datetime().optional(),
  durationMs: z.number(),
  /** The machine: its processor and its number of cores. */
  cpu: z.string(),
  cores: z.int(),
  /** How many agents took it, those that were lost included. Absent: no agents were asked. */
  attempts: z.int().optional(),
});

export type MergedShard = z.infer<typeof mergedShardSchema>;

/** `2/5` for the second of five. */
export const shardText = ({ index, count }: Shard): string => `${index + 1}/${count}`;

/**
 * The parts in their order, if each is there once.
 * @throws UsageError that names the missing, the double, and those of another division
 */
export function completeShards<Part extends { shard: Shard; source: string }>(parts: readonly Part[]): Part[] {
  const [first] = parts;
  if (!first) throw new UsageError("There is nothing to merge: name the folders of the parts.", { code: "NO_RUN" });
  const { count } = first.shard;
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    if (part.shard.count !== count) {
      throw bad(
        `${first.source} is part ${shardText(first.shard)} and ${part.source} is part ${shardText(part.shard)}: they are not of one division.`,
      );
    }
    const twin = byIndex.get(part.shard.index);
    if (twin) {
      throw bad(
        `Part ${shardText(part.shard)} is there twice, and would count twice: ${twin.source} and ${part.source}. Leave one out.`,
      );
    }
    byIndex.set(part.shard.index, part);
  }
  const indices = Array.from({ length: count }, (_, index) => index);
  const missing = indices.filter((index) => !byIndex.has(index)).map((index) => shardText({ index, count }));
  if (missing.length > 0) {
    const shown = missing.slice(0, 8).join(", ") + (missing.length > 8 ? ` and ${missing.length - 8} more` : "");
    throw bad(
      `${missing.length === 1 ? `Part ${shown} is` : `Parts ${shown} are`} missing: a result of the others alone would say less than it seems to. Run ${missing.length === 1 ? "it" : "them"}, and merge again.`,
    );
  }
  return indices.flatMap((index) => byIndex.get(index) ?? []);
}

/**
 * Do two parts belong to one whole?
 * @param whole gives what must be the same in both
 * @throws UsageError that names the first difference
 */
export function refuseDifferent<Part extends { source: string }>(
  parts: readonly Part[],
  whole: (part: Part) => Readonly<Record<string, unknown>>,
): void {
  const [first, ...rest] = parts;
  if (!first) return;
  const wanted = whole(first);
  for (const part of rest) {
    const found = whole(part);
    const key = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].find(
      (name) => JSON.stringify(wanted[name]) !== JSON.stringify(found[name]),
    );
    if (key === undefined) continue;
    throw bad(
      `${first.source} and ${part.source} are no parts of one whole: ${key} is ${shown(wanted[key])} in the one and ${shown(found[key])} in the other.`,
    );
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "not given";
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

const bad = (message: string) => new UsageError(message, { code: "BAD_SHARDS" });
