import type { Redis } from "ioredis";
import { changedConfig } from "./changed-config.ts";

/** Does something that only a primary lets itself be told, on a replica too: it is writable meanwhile. */
export async function whileWritable<Value>(admin: Redis, work: () => Promise<Value>): Promise<Value> {
  const [role] = await admin.role();
  const restore = role === "slave" ? await changedConfig([admin], { "replica-read-only": "no" }) : undefined;
  try {
    return await work();
  } finally {
    await restore?.();
  }
}
