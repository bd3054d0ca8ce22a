import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { type LockField, openField } from "../lock/orchestrator/field.ts";
import { CLIENTS_AT_LEAST } from "../lock/orchestrator/run-network.ts";
import { prepareSurroundings, type Surroundings } from "../lock/orchestrator/surroundings.ts";
import type { RedisInstallation } from "../redis/installation.ts";
import type { Supervisor } from "../supervisor/parent.ts";

export interface FieldPoolOptions {
  redis: RedisInstallation;
  supervisor: Supervisor;
  /** Removed by whoever made it. */
  temporaryFolder: string;
}

/**
 * Servers and proxies that are used by one cell after the other: starting them would take longer than most cells. One
 * that a cell may have left in doubt is not used again.
 */
export interface FieldPool {
  take(plan: LockPlan): Promise<LockField>;
  give(field: LockField, state: "sound" | "doubtful"): Promise<void>;
  close(): Promise<void>;
}

export function createFieldPool(
  { redis, supervisor, temporaryFolder }: FieldPoolOptions,
  open: typeof openField = openField,
): FieldPool {
  const idle = new Map<string, LockField[]>();
  const kinds = new Map<LockField, string>();
  const broken = new Set<LockField>();
  let count = 0;

  async function discard(field: LockField): Promise<void> {
    kinds.delete(field);
    await field.close();
  }

  return {
    async take(plan) {
      const surroundings = await prepareSurroundings(plan, redis, { supervisor, onProgress: () => {} });
      const kind = kindOf(plan, surroundings);
      const sound = idle.get(kind)?.pop();
      if (sound && !broken.has(sound)) return sound;
      if (sound) await discard(sound);
      count += 1;
      const folder = join(temporaryFolder, `servers-${count}`);
      mkdirSync(folder);
      const field = await open({
        ...{ plan, redis, surroundings, supervisor, temporaryFolder: folder },
        ...{ runId: `servers-${count}`, keyPrefix: "", redisUrls: [] },
      });
      field.broken.catch(() => broken.add(field));
      kinds.set(field, kind);
      return field;
    },
    async give(field, state) {
      const kind = kinds.get(field);
      if (kind === undefined) return;
      if (state === "doubtful" || broken.has(field)) return await discard(field);
      const same = idle.get(kind);
      if (same) same.push(field);
      else idle.set(kind, [field]);
    },
    async close() {
      await Promise.all([...kinds.keys()].map(discard));
    },
  };
}

/** Cells of one kind can follow each other on the same servers. */
function kindOf({ topology, queueOn, workers }: LockPlan, surroundings: Surroundings): string {
  return `${topology} ${queueOn} ${Math.max(workers, CLIENTS_AT_LEAST)} ${JSON.stringify(surroundings)}`;
}
