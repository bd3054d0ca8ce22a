import { UsageError } from "../errors.ts";
import type { lockOptions } from "./lock-options.ts";
import { flagName, type OptionValues } from "./option.ts";
import { isGiven, type Origin } from "./resolve.ts";
import { formatDurationMs } from "./units.ts";

type LockValues = OptionValues<typeof lockOptions>;
type Origins = Readonly<Record<string, Origin>>;

/** A rule on values that exclude each other: gives what is wrong and what to do, or undefined. */
type Rule = (values: LockValues, given: (key: keyof LockValues) => boolean) => string | undefined;

const shortestRoundMs = 200;
const mostJobs = 6_000_000;

const rules: readonly Rule[] = [
  ({ redis, redisBin }) =>
    redis.length > 0 && redisBin !== undefined
      ? "--redis uses servers that run already and --redis-bin starts some: give one of the two."
      : undefined,
  ({ remoteWorkers, workers }) =>
    remoteWorkers > workers
      ? `--remote-workers ${remoteWorkers} are more than there are workers: raise --workers ${workers}.`
      : undefined,
  ({ remoteWorkers }, given) => {
    const key = remoteWorkers === 0 ? (["joinHost", "joinPort", "joinToken"] as const).find(given) : undefined;
    return key === undefined ? undefined : `--${flagName(key)} is about hosts that join: add --remote-workers.`;
  },
  ({ remoteWorkers, rate }) =>
    remoteWorkers > 0 && rate === "max"
      ? "--rate max measures cost, and the way to another host would be part of it: leave out --remote-workers, or give a rate."
      : undefined,
  ({ remoteWorkers, redis }) =>
    remoteWorkers > 0 && redis.some((url) => /^(rediss|valkeys):/i.test(url.trim()))
      ? "--remote-workers reach servers through the run's own port, where a certificate would be of the wrong name: use a server without TLS."
      : undefined,
  ({ redis, redisBin, runtime }) =>
    runtime === "docker" && (redis.length > 0 || redisBin !== undefined)
      ? `--runtime docker starts servers in containers, and ${redis.length > 0 ? "--redis names servers that run already" : "--redis-bin names a program of this machine"}: give one of the two.`
      : undefined,
  ({ redis }, given) =>
    redis.length > 0 && given("topology")
      ? "--topology says which servers the run starts, and --redis names servers that run already: give one of the two."
      : undefined,
  ({ allowFaultsOnExternal, redis }) =>
    allowFaultsOnExternal && redis.length === 0
      ? "--allow-faults-on-external is about servers named by --redis, and there is none."
      : undefined,
  ({ commandTimeout, ttl }) =>
    commandTimeout !== undefined && commandTimeout >= ttl
      ? `--command-timeout ${formatDurationMs(commandTimeout)} is no shorter than the TTL of ${formatDurationMs(ttl)}: ` +
        "the lease would be over before the client gives up. Use a timeout well below the TTL."
      : undefined,
  ({ renewEvery, ttl }) =>
    renewEvery !== undefined && renewEvery >= ttl
      ? `--renew-every ${formatDurationMs(renewEvery)} is no shorter than the TTL of ${formatDurationMs(ttl)}: the lease would ` +
        "be over before it is renewed. A third of the TTL leaves time for a second try."
      : undefined,
  ({ duration, rounds }) =>
    duration / rounds < shortestRoundMs
      ? `--duration ${formatDurationMs(duration)} over ${rounds} rounds leaves less than ${formatDurationMs(shortestRoundMs)} ` +
        `for a round. The shortest --duration for them is ${formatDurationMs(shortestRoundMs * rounds)}.`
      : undefined,
  ({ rate, duration }) =>
    rate !== "max" && (rate.perMinute * duration) / 60_000 > mostJobs
      ? `These are ${Math.round((rate.perMinute * duration) / 60_000).toLocaleString("en")} jobs an arm; one run takes at most ` +
        `${mostJobs.toLocaleString("en")}. Use a shorter --duration, and several runs with other seeds.`
      : undefined,
  ({ rate, faults }) =>
    rate === "max" && faults.length > 0 && faults.join() !== "none"
      ? "--rate max measures cost only and runs without faults: leave out --faults, or give a rate."
      : undefined,
  ({ rate, trace }) =>
    rate === "max" && trace === "on"
      ? "--rate max measures cost, and a trace of every command would be part of it: leave out --trace on, or give a rate."
      : undefined,
  ({ rate }, given) =>
    rate === "max" && given("keys")
      ? "--rate max acquires and releases a key of its own in each cycle: leave out --keys, or give a rate."
      : undefined,
  ({ lock, rate }) =>
    rate !== "max" && lock.some((name) => name === "none" || name === "none-literal")
      ? `--lock ${lock.find((name) => name === "none" || name === "none-literal")} is a control, which every run has beside the locks: name a lock, such as set-nx.`
      : undefined,
  ({ queueOn, topology }) =>
    queueOn === "lock" && topology === "redlock"
      ? "--queue-on lock is for one server; with --topology redlock the queue has a server of its own: leave out --queue-on."
      : undefined,
  ({ lock }) => {
    const twice = lock.find((name, index) => lock.indexOf(name) !== index);
    return twice === undefined ? undefined : `--lock ${twice} is given twice: every arm needs a name of its own.`;
  },
  ({ lock }) => (lock.length === 0 ? "There is no lock to test: give --lock NAME or a file." : undefined),
];

/** Refuses values that exclude each other, before anything is started. Throws `UsageError`. */
export function refuseImpossible(values: LockValues, origins: Origins): void {
  const given = (key: keyof LockValues) => isGiven(origins[key]);
  for (const rule of rules) {
    const problem = rule(values, given);
    if (problem !== undefined) throw new UsageError(problem, { code: "IMPOSSIBLE" });
  }
}
