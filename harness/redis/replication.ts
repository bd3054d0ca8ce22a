import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { RedisNodeHandle } from "./node-handle.ts";

const SYNC_TIMEOUT_MS = 20_000;

/**
 * Makes the first node the primary and the others its replicas, each known to it by the address at which everyone finds
 * it, and waits until all are in step. Keys of the primary stay, those of replicas go.
 * @throws Error when a replica is not in step within 20 s
 */
export async function arrangeReplication(
  primary: RedisNodeHandle,
  replicas: readonly RedisNodeHandle[],
): Promise<void> {
  await Promise.all([primary, ...replicas].map(announce));
  if ((await roleOf(primary.admin)) !== "master") {
    await primary.admin.replicaof("NO", "ONE");
    await sendAway(primary);
  }
  await Promise.all(
    replicas.map(async ({ admin }) => {
      const { host, port } = primary.address;
      if (await follows(admin, host, port)) return;
      await admin.replicaof(host, port);
      await sendAway({ admin });
    }),
  );
  await untilInStep(primary, replicas);
  // Whoever is restarted comes back in its role.
  await Promise.all([primary, ...replicas].map(({ admin }) => admin.config("REWRITE")));
}

/** Waits until every replica has everything that the primary has written so far. */
export async function untilInStep(primary: RedisNodeHandle, replicas: readonly RedisNodeHandle[]): Promise<void> {
  const deadline = performance.now() + SYNC_TIMEOUT_MS;
  for (const { name, admin } of replicas) {
    // Asked anew each time: the primary takes a new history when its first replica comes.
    for (;;) {
      const wanted = await primary.admin.info("replication");
      if (isInStep(await admin.info("replication"), wanted)) break;
      if (performance.now() > deadline) {
        throw new Error(`${name} is not in step with ${primary.name} after ${SYNC_TIMEOUT_MS / 1000} s`);
      }
      await sleep(10);
    }
  }
}

/** Of the same history (a primary that was restarted has a new one), connected, and as far in it. */
function isInStep(replica: string, primary: string): boolean {
  return (
    field(replica, "master_replid") === field(primary, "master_replid") &&
    field(replica, "master_link_status") === "up" &&
    field(replica, "master_sync_in_progress") === "0" &&
    Number(field(replica, "slave_repl_offset")) >= Number(field(primary, "master_repl_offset"))
  );
}

export async function roleOf(admin: Redis): Promise<"master" | "slave" | string> {
  return field(await admin.info("replication"), "role") ?? "unknown";
}

async function follows(admin: Redis, host: string, port: number): Promise<boolean> {
  const info = await admin.info("replication");
  return field(info, "master_host") === host && field(info, "master_port") === String(port);
}

/** As Sentinel does after a change of roles: clients that found it in its former one must look again. */
async function sendAway({ admin }: Pick<RedisNodeHandle, "admin">): Promise<void> {
  await admin.call("CLIENT", "KILL", "TYPE", "normal");
}

async function announce({ admin, address }: RedisNodeHandle): Promise<void> {
  await admin.config("SET", "replica-announce-ip", address.host);
  await admin.config("SET", "replica-announce-port", String(address.port));
}

/** One field of a section of INFO. */
export function field(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
}
