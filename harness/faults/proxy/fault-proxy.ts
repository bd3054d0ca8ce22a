import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { builtFile } from "../../package-root.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import { spawnOwned } from "../../supervisor/spawn-owned.ts";
import type { CommandWatch, FaultNetwork, NetworkFault } from "../fault.ts";
import { linkChoices } from "./link-selector.ts";
import type {
  ChildMessage,
  FaultSetting,
  NodeSpec,
  ParentMessage,
  ProxyAnswer,
  ProxyEvent,
  ProxyRequest,
  ProxyStats,
} from "./messages.ts";

export interface FaultProxyOptions {
  /** Ends the proxy if this process cannot. Without one it still ends with this process. */
  supervisor?: Supervisor;
  /** Every random choice of the proxy comes from it. */
  seed: number;
}

export interface WatchOptions {
  /** Name of the command, with words that it must contain: `SET NX`, `EVAL`. Absent: any. */
  command?: string;
  /** Pattern of its keys. */
  key?: string;
  script?: string;
  /** Only commands by which a client renews a lock of its own. */
  extension?: boolean;
  /** Only the nth one that matches; absent: each. */
  nth?: number;
  /** As the targets of a fault; none: every link. */
  targets?: readonly string[];
  /** When it is reported: once it was written to the node (the default), or once the node has answered. */
  moment?: "sent" | "applied";
  /** The reply, and all behind it on its connection, waits for `release`; `onwards`: the same client's later ones too. */
  hold?: boolean | "onwards";
}

interface FaultProxyEvents {
  command: [Extract<ProxyEvent, { kind: "command" }>];
  unframed: [Extract<ProxyEvent, { kind: "unframed" }>];
  /** The process ended before `close`. */
  died: [Error];
}

/** Starts the proxy in a process of its own. */
export async function startFaultProxy({ supervisor, seed }: FaultProxyOptions): Promise<FaultProxy> {
  const args = [builtFile("harness/faults/proxy/entry.js"), String(seed)];
  const options: SpawnOptions = { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] };
  const child = supervisor
    ? spawnOwned(supervisor, process.execPath, args, options)
    : spawn(process.execPath, args, options);
  const proxy = new FaultProxy(child);
  await proxy.ready;
  return proxy;
}

/**
 * The parent's side of the proxy. Every change is confirmed once it is in force, with the monotonic time of it.
 * Rejects with an error that names the cause; after the process has died, every call does.
 */
export class FaultProxy extends EventEmitter<FaultProxyEvents> implements FaultNetwork {
  readonly ready: Promise<void>;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, { resolve(answer: ProxyAnswer): void; reject(error: Error): void }>();
  private lastNumber = 0;
  private isClosing = false;
  private death: Error | undefined;

  constructor(child: ChildProcess) {
    super();
    this.child = child;
    this.ready = new Promise((resolve, reject) => {
      this.waiting.set(0, { resolve: () => resolve(), reject });
    });
    child.on("message", (message: ChildMessage) => this.hear(message));
    child.on("error", (error) => this.mourn(new Error(`The fault proxy: ${error.message}`, { cause: error })));
    child.on("exit", (code, signal) => this.mourn(new Error(`The fault proxy ended (${signal ?? `code ${code}`})`)));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Listens for a node; resolves with the address that clients use in its place. */
  async addNode(node: NodeSpec): Promise<{ host: string; port: number }> {
    return (await this.ask({ kind: "add-node", node })) as { host: string; port: number };
  }

  async redirect(name: string, to: string): Promise<void> {
    await this.ask({ kind: "redirect", name, to });
  }

  async removeNode(name: string): Promise<void> {
    await this.ask({ kind: "remove-node", name });
  }

  /** Puts a fault in force, or replaces the one with this id, on links that live and links to come. */
  async setFault(id: string, { name, targets, parameters }: NetworkFault): Promise<{ atNs: bigint }> {
    return this.setFaultOn(id, { name, parameters, links: linkChoices(targets) });
  }

  /** The same, for nodes that have names of their own. */
  async setFaultOn(id: string, fault: FaultSetting): Promise<{ atNs: bigint }> {
    return (await this.ask({ kind: "set-fault", id, fault })) as { atNs: bigint };
  }

  /** Ends a fault: what it held goes on in order; connections whose bytes it lost are reset. */
  async clearFault(id: string): Promise<{ atNs: bigint }> {
    return (await this.ask({ kind: "clear-fault", id })) as { atNs: bigint };
  }

  /** Reports commands as they are written to the node (event `command`), and may hold their replies. Ends with `clearFault(id)`. */
  async watchCommand(
    id: string,
    { command, key, script, nth, targets, hold, extension, moment = "sent" }: WatchOptions,
  ): Promise<{ atNs: bigint }> {
    const parameters = {
      extension: extension ? "yes" : "no",
      ...(command === undefined ? {} : { command }),
      moment,
      hold: hold === true ? "yes" : hold || "no",
      ...(key === undefined ? {} : { key }),
      ...(script === undefined ? {} : { script }),
      ...(nth === undefined ? {} : { nth }),
    };
    return this.setFault(id, { name: "watch", targets: targets ?? [], parameters });
  }

  async onCommand(id: string, wanted: CommandWatch, come: () => void): Promise<() => Promise<void>> {
    const { holds, ...options } = wanted;
    const hear = (event: { id: string }) => {
      if (event.id === id) come();
    };
    this.on("command", hear);
    await this.watchCommand(id, { ...options, moment: "applied", hold: holds ? "onwards" : false });
    return async () => {
      this.off("command", hear);
      await this.clearFault(id);
    };
  }

  /** Lets the replies go that a watch holds. */
  async release(id: string): Promise<{ atNs: bigint }> {
    return (await this.ask({ kind: "release", id })) as { atNs: bigint };
  }

  /** Figures so far; `reset` forgets the delay errors afterwards. */
  async stats({ reset = false }: { reset?: boolean } = {}): Promise<ProxyStats> {
    return (await this.ask({ kind: "stats", reset })) as ProxyStats;
  }

  /** Ends the process, and with it every connection. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, "exit");
    if (this.child.connected) this.child.disconnect();
    const killer = setTimeout(() => this.child.kill("SIGKILL"), 2_000);
    await exit;
    clearTimeout(killer);
  }

  private ask(request: ProxyRequest): Promise<ProxyAnswer> {
    if (this.death) return Promise.reject(this.death);
    const number = ++this.lastNumber;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.child.send({ number, request } satisfies ParentMessage, (error) => {
        if (error) this.mourn(new Error(`The fault proxy cannot be reached: ${error.message}`, { cause: error }));
      });
    });
  }

  private hear(message: ChildMessage): void {
    switch (message.type) {
      case "ready":
        this.settle(0)?.resolve({ atNs: 0n });
        break;
      case "answer":
        this.settle(message.number)?.resolve(message.answer);
        break;
      case "error":
        this.settle(message.number)?.reject(new Error(message.message));
        break;
      case "event":
        if (message.event.kind === "command") this.emit("command", message.event);
        else this.emit("unframed", message.event);
        break;
    }
  }

  private settle(number: number) {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    return waiting;
  }

  private mourn(error: Error): void {
    if (this.death) return;
    this.death = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    if (!this.isClosing) this.emit("died", error);
  }
}
