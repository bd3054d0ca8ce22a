import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import type { ModuleRef } from "../../contracts/module-ref.ts";
import { messageOf, UnavailableError } from "../../errors.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import type { ToWorker, WorkerAssignment } from "../messages.ts";
import { startBody, type WorkerBody } from "../orchestrator/worker-process.ts";
import { followJournal } from "./journal-tail.ts";
import { openTunnel, type Tunnel } from "./tunnel.ts";
import {
  challengeSchema,
  type FromHost,
  proofOf,
  readJsonLines,
  type SentModule,
  sendLine,
  type ToHost,
  toHostSchema,
} from "./wire.ts";
import { clockFromNow, type WitnessClock, watchWitnessClock } from "./witness-clock.ts";

export interface JoinOptions {
  host: string;
  port: number;
  token: string;
  build: string;
  name: string;
  slots: number;
  supervisor: Supervisor;
  /** For journals, until they have been sent. */
  folder: string;
  /** Finds a module on this host. */
  find(kind: "lock" | "queue" | "job", ref: ModuleRef, sent: SentModule | undefined): ModuleRef;
  /** How long to try to connect, ms. */
  waitMs: number;
  signal: AbortSignal;
  tell(line: string): void;
}

/**
 * Joins a run: plays workers of it on this host until it is over.
 * @throws UnavailableError when the orchestrator cannot be reached, refuses, or is lost in the middle
 */
export async function joinRun(options: JoinOptions): Promise<void> {
  const socket = await connectWithin(options);
  const member = new Member(socket, options);
  try {
    await member.over;
  } finally {
    member.close();
  }
}

/** The orchestrator may come later than its hosts. */
async function connectWithin({ host, port, waitMs, signal }: JoinOptions): Promise<Socket> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const socket = connect({ host, port, noDelay: true });
    const error = await new Promise<unknown>((resolve) => {
      socket.once("connect", () => resolve(undefined));
      socket.once("error", resolve);
    });
    if (error === undefined) return socket;
    socket.destroy();
    signal.throwIfAborted();
    if (performance.now() > deadline) {
      throw new UnavailableError(`No run waits for hosts at ${host}:${port}: ${messageOf(error)}.`, {
        code: "NO_RUN_TO_JOIN",
        cause: error,
      });
    }
    await sleep(200);
  }
}

class Member {
  readonly over: Promise<void>;
  private readonly socket: Socket;
  private readonly options: JoinOptions;
  private readonly clock = clockFromNow();
  private readonly children = new Map<string, WorkerBody>();
  private readonly tunnels = new Map<string, Promise<Tunnel>>();
  private witnessClock: WitnessClock | undefined;
  private end: () => void = () => {};
  private fail: (error: Error) => void = () => {};

  constructor(socket: Socket, options: JoinOptions) {
    this.socket = socket;
    this.options = options;
    const { host, port, signal } = options;
    this.over = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    const lost = (why: string) =>
      this.fail(new UnavailableError(`The run at ${host}:${port} is gone: ${why}.`, { code: "RUN_LOST" }));
    socket.on("error", (error) => lost(messageOf(error)));
    socket.on("close", () => lost("the connection ended"));
    signal.addEventListener("abort", () => this.end(), { once: true });
    readJsonLines(socket, (value, stop) => {
      const { nonce } = challengeSchema.parse(value);
      const rest = stop();
      const { token, build, name, slots } = options;
      sendLine(socket, { type: "join", proof: proofOf(token, nonce), build, name, slots });
      readJsonLines(socket, (message) => this.hear(toHostSchema.parse(message)));
      if (rest.length > 0) socket.unshift(rest);
      socket.resume();
    });
  }

  private say(message: FromHost): void {
    sendLine(this.socket, message);
  }

  private hear(message: ToHost): void {
    switch (message.type) {
      case "refused":
        this.fail(new UnavailableError(`The run refuses this host: ${message.reason}.`, { code: "REFUSED" }));
        break;
      case "welcome":
        this.options.tell(`joined ${this.options.host}:${this.options.port}`);
        break;
      case "begin":
        void this.alignClock(message.baseSeconds).catch((error) => this.fail(error as Error));
        break;
      case "start":
        void this.start(message).catch((error) => this.gone(message.child, messageOf(error)));
        break;
      case "tell":
        // The orchestrator is of the same build: what it tells its workers is theirs to read.
        this.children
          .get(message.child)
          ?.tell(message.message as unknown as ToWorker)
          .catch(() => {});
        break;
      case "signal":
        void this.signal(message);
        break;
      case "over":
        this.end();
    }
  }

  private async alignClock(baseSeconds: number): Promise<void> {
    const { port } = await this.tunnel(0, "witness");
    this.witnessClock = watchWitnessClock(
      { host: "127.0.0.1", port, db: 0 },
      { now: this.clock.now, baseSeconds, onTrip: (trip) => this.say({ type: "clock", ...trip }) },
    );
  }

  private tunnel(worker: number, target: string): Promise<Tunnel> {
    const name = `${worker} ${target}`;
    const { host, port, token } = this.options;
    const tunnel = this.tunnels.get(name) ?? openTunnel({ host, port, token, worker, target });
    this.tunnels.set(name, tunnel);
    return tunnel;
  }

  private async start({ child, zeroNs, assignment, modules }: Extract<ToHost, { type: "start" }>): Promise<void> {
    const { folder, supervisor } = this.options;
    const journalFile = join(folder, `${child}.ndjson`);
    const mine = await this.adopt(assignment as unknown as WorkerAssignment, modules);
    const journal = followJournal(journalFile, (text) => this.say({ type: "journal", child, text }));
    const body = startBody(supervisor, (message) => this.say({ type: "said", child, message: { ...message } }));
    body.onTrigger = (line) => this.say({ type: "trigger", child, line });
    this.children.set(child, body);
    void body.exited.then(({ code, signal, stderr }) => {
      journal.end();
      this.children.delete(child);
      this.say({
        ...{ type: "exited", child, stderr },
        ...(code === undefined ? {} : { code }),
        ...(signal === undefined ? {} : { signal }),
      });
    });
    const startedAtMonotonicNs = String(this.clock.zeroNs + BigInt(Math.round(zeroNs)));
    await body.tell({ type: "assign", assignment: { ...mine, journalFile, startedAtMonotonicNs } });
  }

  /** The assignment with the modules of this host, and with servers at the near ends of tunnels. */
  private async adopt(assignment: WorkerAssignment, modules: Record<string, SentModule>): Promise<WorkerAssignment> {
    const { worker, lock, queue, job } = assignment;
    const { find } = this.options;
    const near = async (target: string, { localAddress: _, ...node }: LockNode): Promise<LockNode> => {
      const { port } = await this.tunnel(worker, target);
      return { ...node, host: "127.0.0.1", port };
    };
    return {
      ...assignment,
      lock: { ...lock, ...find("lock", lock, modules[lock.path]) },
      queue: { ...queue, ...find("queue", queue, modules[queue.path]) },
      job: find("job", job, modules[job.path]),
      lockNodes: await Promise.all(assignment.lockNodes.map((node, index) => near(`node:${index + 1}`, node))),
      queueNode: await near("queue", assignment.queueNode),
      witnessNode: await near("witness", assignment.witnessNode),
    };
  }

  private async signal({ child, id, signal }: Extract<ToHost, { type: "signal" }>): Promise<void> {
    try {
      const body = this.children.get(child);
      if (signal === "SIGSTOP") await body?.stop();
      else body?.signal(signal);
      this.say({ type: "signalled", child, id });
    } catch (error) {
      this.say({ type: "signalled", child, id, error: messageOf(error) });
    }
  }

  /** A worker that could not be started. */
  private gone(child: string, reason: string): void {
    this.options.tell(`a worker could not be started: ${reason}`);
    this.say({ type: "exited", child, code: 1, stderr: reason });
  }

  close(): void {
    this.witnessClock?.close();
    for (const child of this.children.values()) child.signal("SIGKILL");
    for (const tunnel of this.tunnels.values()) void tunnel.then((open) => open.close());
    this.socket.destroy();
  }
}
