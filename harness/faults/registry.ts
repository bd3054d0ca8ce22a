import type { FaultDefinition } from "./fault.ts";
import { networkFaults } from "./proxy/network/registry.ts";
import { redisBusy } from "./redis/redis-busy.ts";
import { redisClientPause } from "./redis/redis-client-pause.ts";
import { redisClock } from "./redis/redis-clock.ts";
import { redisDiskFull } from "./redis/redis-disk-full.ts";
import { redisEviction } from "./redis/redis-eviction.ts";
import { redisFailover } from "./redis/redis-failover.ts";
import { redisFaketime } from "./redis/redis-faketime.ts";
import { redisFlush } from "./redis/redis-flush.ts";
import { redisKill } from "./redis/redis-kill.ts";
import { redisLoading } from "./redis/redis-loading.ts";
import { redisMaxclients } from "./redis/redis-maxclients.ts";
import { redisMisconf } from "./redis/redis-misconf.ts";
import { redisOom } from "./redis/redis-oom.ts";
import { redisPause } from "./redis/redis-pause.ts";
import { redisPowerLoss } from "./redis/redis-power-loss.ts";
import { redisReadOnly } from "./redis/redis-read-only.ts";
import { redisRestart } from "./redis/redis-restart.ts";
import { redisScriptFlush } from "./redis/redis-script-flush.ts";
import { redisSleep } from "./redis/redis-sleep.ts";
import { redisSlow } from "./redis/redis-slow.ts";
import { workerBlock } from "./worker/worker-block.ts";
import { workerClock } from "./worker/worker-clock.ts";
import { workerKill } from "./worker/worker-kill.ts";
import { workerSlow } from "./worker/worker-slow.ts";
import { workerStop } from "./worker/worker-stop.ts";
import { workerTerminate } from "./worker/worker-terminate.ts";

/** Every fault, in the order in which it is listed: network, Redis, workers. */
export const faultRegistry: readonly FaultDefinition[] = [
  ...networkFaults,
  redisPause,
  redisKill,
  redisRestart,
  redisPowerLoss,
  redisLoading,
  redisFailover,
  redisClock,
  redisFaketime,
  redisClientPause,
  redisSleep,
  redisSlow,
  redisBusy,
  redisFlush,
  redisScriptFlush,
  redisEviction,
  redisOom,
  redisMisconf,
  redisDiskFull,
  redisReadOnly,
  redisMaxclients,
  workerStop,
  workerBlock,
  workerKill,
  workerTerminate,
  workerClock,
  workerSlow,
];

/** The fault with this name or alias. */
export function faultNamed(name: string): FaultDefinition | undefined {
  return faultRegistry.find((fault) => fault.name === name || fault.aliases?.includes(name));
}
