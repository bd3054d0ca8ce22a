import type { FaultDescription, PlannedFault } from "../contracts/fault.ts";
import type { RedisNodeHandle } from "../redis/node-handle.ts";
import type { RunningTopology } from "../redis/topologies/topology.ts";

/** A worker process as faults see it: whichever incarnation plays it now. */
export interface FaultWorker {
  /** `worker:1`, `worker:2`, ... */
  name: string;
  /** SIGSTOP; resolves once the process is seen stopped. */
  stop(): Promise<void>;
  /** SIGCONT; resolves once the process answers again. */
  resume(): Promise<void>;
  /** Moves the worker's wall clock; resolves once the worker confirmed it. */
  setClock(change: ClockChange): Promise<void>;
  /** Keeps the worker's event loop busy: its timers are late, its sockets still fill. Resolves when told, not when over. */
  block(durationMs: number): Promise<void>;
  /** SIGKILL, then a new incarnation. Gives the time just before the signal was sent, monotonic ns. */
  kill(): Promise<bigint>;
  /** SIGTERM; SIGKILL if it still runs after the grace period; then a new incarnation. Resolves with the time of SIGTERM. */
  terminate(graceMs: number): Promise<bigint>;
  /** Threads of the worker that do nothing but compute; 0 ends them. */
  setBurden(threads: number): Promise<void>;
}

/** A change of a wall clock. Absent parts stay as they are. */
export interface ClockChange {
  /** Distance from true time from now on, ms. */
  offsetMs?: number;
  /** Added to the present distance, ms. */
  stepMs?: number;
  /** Seconds that pass per true second: 1 is true time. */
  speed?: number;
}

/** The network between clients and nodes: a fault proxy that faults are set on by id. */
export interface FaultNetwork {
  /** Resolves once the fault is in force, with the monotonic time of it. */
  setFault(id: string, fault: NetworkFault): Promise<{ atNs: bigint }>;
  clearFault(id: string): Promise<{ atNs: bigint }>;
  /**
   * Clients that connect to the first node are led to the second from now on, as by a name that points elsewhere after
   * a failover; to the first itself, as before. Absent: the network cannot.
   */
  redirect?(node: string, to: string): Promise<void>;
  /**
   * Calls `come` when the nth command that matches has been applied; gives the function that ends the watch. Absent: the
   * network does not look into what it carries.
   */
  onCommand?(id: string, watch: CommandWatch, come: () => void): Promise<() => Promise<void>>;
}

/** Commands that something waits for. */
export interface CommandWatch {
  /** As in the plan language: `SET NX`. Absent: any. */
  command?: string;
  /** Only commands by which a client renews a lock of its own. */
  extension?: boolean;
  /** Pattern of its keys. */
  key?: string;
  nth: number;
  /** As the targets of a fault; none: every link. */
  targets: readonly string[];
  /** From the nth on, its client gets no reply to such commands until the watch ends. */
  holds: boolean;
}

export interface NetworkFault {
  name: string;
  targets: readonly string[];
  parameters: PlannedFault["parameters"];
}

/** Everything that a fault may act on during a round. */
export interface FaultField {
  nodes: readonly RedisNodeHandle[];
  /** The nodes in their arrangement: who replicates whom, which sentinels watch. */
  topology: RunningTopology;
  workers: readonly FaultWorker[];
  network: FaultNetwork | undefined;
}

/** A fault in force. */
export interface Injection {
  /** When it took effect, monotonic ns. */
  injectedAtNs: bigint;
  /** Undoes it; resolves with the time at which it was undone. Absent: there is nothing to undo. */
  heal?(): Promise<bigint>;
}

/** A fault: what everyone may know of it, and how it is injected. */
export interface FaultDefinition extends FaultDescription {
  inject(field: FaultField, fault: PlannedFault): Promise<Injection>;
}

/** Picks the members of a field that a fault's targets name, such as `worker:2`. */
export function targetsIn<Member extends { name: string }>(members: readonly Member[], fault: PlannedFault): Member[] {
  return fault.targets.map((target) => {
    const member = members.find(({ name }) => name === target);
    if (!member) throw new Error(`${fault.name} is aimed at ${target}, which this run does not have`);
    return member;
  });
}

/** Monotonic time, ns. */
export const nowNs = (): bigint => process.hrtime.bigint();
