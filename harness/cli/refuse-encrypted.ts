import type { LockPlan } from "../contracts/lock-plan.ts";
import { UsageError } from "../errors.ts";
import { faultNamed } from "../faults/registry.ts";
import { parseRedisUrl } from "../redis/redis-url.ts";

/**
 * Refuses faults that must see commands where the proxy cannot: on the way to a server over TLS.
 * @throws UsageError that names the fault
 */
export function refuseEncrypted(plan: LockPlan, redisUrls: readonly string[]): void {
  if (!redisUrls.some((url) => parseRedisUrl(url).tls)) return;
  const blind = plan.rounds
    .flatMap(({ faults }) => faults)
    .find(
      ({ name, trigger }) =>
        (faultNamed(name)?.group === "network" && faultNamed(name)?.parameters.command !== undefined) ||
        (trigger.kind === "on" && (trigger.event === "command" || trigger.event === "extend")),
    );
  if (!blind) return;
  throw new UsageError(
    `${blind.name} has to see commands, and over TLS (rediss://) nobody between client and server can. ` +
      "Use faults on bytes and connections, or a server without TLS.",
    { code: "IMPOSSIBLE" },
  );
}
