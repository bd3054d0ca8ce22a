import type { Redis } from "ioredis";

/** Sets directives of running servers, and gives the function that sets them back to what they were. */
export async function changedConfig(
  admins: readonly Redis[],
  directives: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const restores = await Promise.all(
    admins.map(async (admin) => {
      const before: [string, string][] = [];
      for (const [name, value] of Object.entries(directives)) {
        before.push([name, await directiveOf(admin, name)]);
        await admin.config("SET", name, value);
      }
      return async () => {
        for (const [name, value] of before.reverse()) await admin.config("SET", name, value);
      };
    }),
  );
  return async () => {
    await Promise.all(restores.map((restore) => restore()));
  };
}

/** RESP3 gives a map, RESP2 a flat list. */
export async function directiveOf(admin: Redis, name: string): Promise<string> {
  const reply: unknown = await admin.config("GET", name);
  const value = Array.isArray(reply) ? reply[1] : (reply as Record<string, unknown> | null)?.[name];
  if (typeof value !== "string") throw new Error(`this Redis server has no directive named ${name}`);
  return value;
}
