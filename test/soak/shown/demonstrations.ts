/** A fault, and a run in which its effect can be seen. */
export interface Demonstration {
  /** The row of the list of faults: a name, or a way of it. */
  fault: string;
  /** The text for `--faults`. */
  plan: string;
  /** What else the run needs; it wins over the usual. */
  options?: readonly string[];
}

const timeout = ["--command-timeout", "150ms"];
const replicated = ["--topology", "replicated"];
const longJobs = ["--job-time", "constant(1500ms)", "--ttl", "10s", "--visibility", "400ms", "--concurrency", "64"];

/** client:1 reaches the nodes 1, 2, 3 and client:2 the nodes 3, 4, 5, so that node:3 decides. */
const split = "partition(a=client:1, b=node:4+node:5), partition(a=client:2, b=node:1+node:2)";
const twoMajorities = [
  ...["--topology", "redlock", "--lock", "redlock", "--keys", "1", "--ttl", "10s", "--on-skip", "drop"],
  ...["--rate", "300", "--arrivals", "constant", "--job-time", "constant(600ms)", "--concurrency", "1"],
];
const sentinel = ["--topology", "sentinel", "--rate", "300"];

/** One for each fault and way of it, in the order of the list. */
export const demonstrations: readonly Demonstration[] = [
  { fault: "latency", plan: "latency(base=5ms, at=1s)" },
  { fault: "jitter", plan: "jitter(base=2ms, p99=20ms, at=1s)" },
  { fault: "bandwidth", plan: "bandwidth(rate=2KB/s, at=1s)" },
  { fault: "slicer", plan: "slicer(size=1B, delay=2ms, at=1s)" },
  { fault: "partition", plan: "partition(a=client:1, b=node:1, at=1s, for=500ms)" },
  { fault: "partition, one way", plan: "partition(a=client:1, b=node:1, way=b-to-a, at=1s, for=500ms)" },
  { fault: "black-hole", plan: "black-hole(target=client:1, at=1s, for=500ms)", options: timeout },
  { fault: "reset", plan: "reset(at=1s, for=100ms)" },
  { fault: "reset-after-apply", plan: "reset-after-apply(command=SET NX, nth=5, target=client:1)" },
  { fault: "refuse", plan: "refuse(at=1s, for=500ms)" },
  { fault: "slow-close", plan: "slow-close(delay=400ms), redis-restart(at=1s)" },
  { fault: "limit-data", plan: "limit-data(bytes=500B, at=1s, for=500ms)" },
  { fault: "delay-reply", plan: "delay-reply(command=SET NX, base=20ms, at=1s)" },
  { fault: "delay-request", plan: "delay-request(command=SET NX, delay=20ms, at=1s)" },
  { fault: "lose-reply", plan: "lose-reply(command=SET NX, at=1s, for=300ms)", options: timeout },
  { fault: "lose-request", plan: "lose-request(command=SET NX, at=1s, for=300ms)", options: timeout },
  { fault: "error-reply", plan: "error-reply(command=SET NX, error=READONLY, at=1s)" },
  { fault: "duplicate", plan: "duplicate(command=SET NX, at=1s)" },
  { fault: "pause-between", plan: "pause-between(command=SET NX, pause=20ms, at=1s)" },
  { fault: "redis-pause", plan: "redis-pause(at=1s, for=500ms)" },
  { fault: "redis-client-pause, writes", plan: "redis-client-pause(mode=write, at=1s, for=500ms)" },
  { fault: "redis-client-pause, all", plan: "redis-client-pause(mode=all, at=1s, for=500ms)" },
  { fault: "redis-sleep", plan: "redis-sleep(at=1s, for=500ms)" },
  { fault: "redis-kill", plan: "redis-kill(at=1s, for=500ms)" },
  { fault: "redis-kill, data kept", plan: "redis-kill(emptied=no, at=1s, for=300ms)", options: longJobs },
  { fault: "redis-kill beyond the TTL", plan: "redis-kill(at=500ms, for=1s)", options: ["--ttl", "800ms"] },
  { fault: "redis-restart", plan: "redis-restart(at=1s)", options: longJobs },
  { fault: "redis-power-loss", plan: "redis-power-loss(loses=500ms, at=500ms, for=200ms)", options: longJobs },
  { fault: "redis-loading", plan: "redis-loading(at=1s, for=500ms)" },
  { fault: "redis-failover", plan: "redis-failover(lag=500ms, at=500ms)", options: [...replicated, ...longJobs] },
  {
    fault: "redis-failover, sentinels",
    plan: "redis-failover(lag=500ms, at=500ms)",
    options: ["--topology", "sentinel", ...longJobs, "--duration", "4s"],
  },
  { fault: "redis-clock", plan: "redis-clock(step=+20s, at=1s)", options: longJobs },
  { fault: "redis-faketime", plan: "redis-faketime(offset=+20s, at=1s)", options: longJobs },
  { fault: "redis-slow", plan: "redis-slow(takes=50ms, every=20ms, at=1s)" },
  { fault: "redis-busy", plan: "redis-busy(at=1s, for=500ms)" },
  { fault: "redis-flush", plan: "redis-flush(at=1s)", options: longJobs },
  { fault: "redis-script-flush", plan: 'redis-script-flush(on=command(SET NX, "*lock:*"), nth=3)' },
  { fault: "redis-eviction", plan: "redis-eviction(at=1s, for=300ms)", options: longJobs },
  { fault: "redis-oom", plan: "redis-oom(at=1s, for=500ms)" },
  { fault: "redis-misconf", plan: "redis-misconf(at=1s, for=500ms)" },
  { fault: "redis-disk-full", plan: "redis-disk-full(at=1s, for=500ms)" },
  { fault: "redis-read-only", plan: "redis-read-only(at=1s, for=500ms)" },
  { fault: "redis-maxclients", plan: "redis-maxclients(clients=1, at=1s, for=700ms), reset(at=1.1s, for=10ms)" },
  { fault: "two majorities of five", plan: split, options: twoMajorities },
  {
    fault: "two majorities, and node-clock-jump",
    plan: `${split}, redis-clock(step=+20s, target=node:3, on=command(SET NX, "*lock:*"))`,
    options: twoMajorities,
  },
  {
    fault: "two majorities, and node-amnesia",
    plan: `${split}, redis-restart(target=node:3, on=grant)`,
    options: twoMajorities,
  },
  {
    fault: "primary killed under Sentinel",
    plan: "redis-kill(target=node:1, at=500ms, for=5s)",
    options: [...sentinel, "--duration", "7s"],
  },
  {
    fault: "old primary on the small side",
    plan: "partition(a=node:1, b=node:2+node:3+sentinel:1+sentinel:2+sentinel:3, at=300ms), refuse(target=client:2-node:1, at=300ms)",
    options: [
      ...[...sentinel, "--duration", "6s", "--visibility", "1s", "--ttl", "10s", "--keys", "2"],
      ...["--on-skip", "drop", "--job-time", "constant(500ms)"],
    ],
  },
  { fault: "worker-stop", plan: "worker-stop(at=1s, for=500ms, target=worker:1)" },
  { fault: "worker-block", plan: "worker-block(at=1s, for=500ms, target=worker:1)" },
  { fault: "worker-kill", plan: "worker-kill(on=grant, nth=5, target=worker:1)" },
  { fault: "worker-terminate", plan: "worker-terminate(at=1s, grace=1s, target=worker:1)" },
  { fault: "worker-clock", plan: "worker-clock(offset=+60s, at=1s, target=worker:1)" },
  { fault: "worker-slow", plan: "worker-slow(threads=8, at=1s, target=worker:1)" },
];

export const usual = [
  ...["--duration", "2s", "--rounds", "1", "--rate", "1200", "--workers", "2", "--job-time", "constant(20ms)"],
  ...["--ack", "after", "--seed", "1"],
];

/** The words of the command, options that are given twice only as they win. */
export function commandOf({ plan, options = [] }: Demonstration): string[] {
  const merged = new Map<string, string>();
  for (const words of [usual, options]) {
    for (let at = 0; at + 1 < words.length; at += 2) merged.set(words[at] as string, words[at + 1] as string);
  }
  return ["lock", ...[...merged].flat(), "--faults", plan];
}
