import type { LockPlan } from "../contracts/lock-plan.ts";
import { UsageError } from "../errors.ts";
import { faultNamed } from "../faults/registry.ts";
import { refuseIfUnable } from "../faults/toxiproxy-api/toxiproxy-network.ts";
import { parseRedisUrl } from "../redis/redis-url.ts";

/**
 * Refuses what a Toxiproxy server cannot do, before anything starts: faults on commands or on some clients, links between
 * servers, sockets.
 * @throws UsageError that names the fault and why
 */
export function refuseOnToxiproxy(
  plan: LockPlan,
  { nodes, redisUrls }: { nodes: number; redisUrls: readonly string[] },
): void {
  if (plan.topology === "replicated" || plan.topology === "sentinel") {
    throw impossible(
      `--toxiproxy cannot tell replicas and sentinels from clients: --topology ${plan.topology} takes the harness's own proxy.`,
    );
  }
  const socket = redisUrls.find((url) => parseRedisUrl(url).path !== undefined);
  if (socket !== undefined)
    throw impossible("--toxiproxy cannot reach a unix socket: name the server by host and port.");
  const names = Array.from({ length: nodes }, (_, index) => `node:${index + 1}`);
  for (const { name, targets, parameters, trigger } of plan.rounds.flatMap(({ faults }) => faults)) {
    if (trigger.kind === "on" && (trigger.event === "command" || trigger.event === "extend")) {
      throw impossible(
        `A Toxiproxy server cannot tell when ${name} is to start: it knows no commands. Leave out --toxiproxy, or use another event.`,
      );
    }
    if (faultNamed(name)?.group === "network") {
      refuseIfUnable({ name, targets, parameters }, { nodes: names, clients: plan.workers });
    }
  }
}

const impossible = (message: string) => new UsageError(message, { code: "IMPOSSIBLE" });
