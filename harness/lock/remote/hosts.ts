import { createServer, type Server, type Socket } from "node:net";
import { messageOf, UnavailableError } from "../../errors.ts";
import { type Alignment, align, boundOver, type RoundTrip } from "../../measure/clock-alignment.ts";
import type { WorkerAssignment } from "../messages.ts";
import type { LockField } from "../orchestrator/field.ts";
import type { WorkerProcessOptions } from "../orchestrator/worker-process.ts";
import { RemoteWorker } from "./remote-worker.ts";
import { passOn, targetOf } from "./tunnel.ts";
import {
  type FromHost,
  fromHostSchema,
  isProof,
  newNonce,
  type Opening,
  openingSchema,
  readJsonLines,
  type SentModule,
  sendLine,
  type ToHost,
} from "./wire.ts";
import { type WitnessClock, watchWitnessClock } from "./witness-clock.ts";

export interface HostsOptions {
  host: string;
  port: number;
  token: string;
  /** It was drawn, and so has to be told. */
  tellsToken: boolean;
  /** Hosts of another build are refused: they might do other things than are recorded. */
  build: string;
  /** Numbers of the workers that hosts play. */
  workers: readonly number[];
  modulesOf(assignment: WorkerAssignment): Record<string, SentModule>;
  signal: AbortSignal;
  tell(line: string): void;
}

/** Hosts that have joined a run and play some of its workers. */
export interface RemoteHosts {
  plays(worker: number): boolean;
  /** Gives a worker a process of the host whose it is. */
  equip(options: WorkerProcessOptions): WorkerProcessOptions;
  /** The servers are up: clocks are aligned from now on. */
  begin(field: LockField, startedAtMonotonicNs: string): void;
  /** Rejects when a host is gone that nobody sent away. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/** A connection that has not said who it is by then is nobody's, ms. */
const OPENING_LIMIT_MS = 5_000;
/** Round trips before the first worker is started. */
const FIRST_TRIPS = 3;
const ALIGN_LIMIT_MS = 15_000;

/**
 * Listens, and resolves once hosts have joined that can play the given workers.
 * @throws UnavailableError when the port cannot be listened on
 */
export async function awaitHosts(options: HostsOptions): Promise<RemoteHosts> {
  const hosts = new Hosts(options);
  try {
    await hosts.listen();
    await hosts.complete();
    return hosts;
  } catch (error) {
    await hosts.close();
    throw error;
  }
}

interface Host {
  name: string;
  socket: Socket;
  trips: RoundTrip[];
  children: Map<string, RemoteWorker>;
}

class Hosts implements RemoteHosts {
  readonly lost: Promise<never>;
  private readonly options: HostsOptions;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly seats = new Map<number, Host>();
  private readonly hosts = new Set<Host>();
  private readonly ownTrips: RoundTrip[] = [];
  private field: LockField | undefined;
  private startNs = 0n;
  private clock: WitnessClock | undefined;
  private over = false;
  private children = 0;
  private lose: (error: Error) => void = () => {};
  private tellComplete: () => void = () => {};

  constructor(options: HostsOptions) {
    this.options = options;
    this.server = createServer({ noDelay: true }, (socket) => this.greet(socket));
    this.lost = new Promise((_, reject) => {
      this.lose = reject;
    });
    this.lost.catch(() => {});
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", (error) =>
        reject(new UnavailableError(`--join-host ${host}: nobody can listen on port ${port}: ${messageOf(error)}.`)),
      );
      this.server.listen(port, host, resolve);
    });
    const address = this.server.address();
    const listening = typeof address === "object" && address ? address.port : port;
    const shown = host.includes(":") ? `[${host}]` : host;
    const { token, tellsToken, workers, tell } = this.options;
    tell(`Waiting for hosts that play ${workers.length} of the workers. On each of them:`);
    const given = tellsToken ? `HARNESS_JOIN_TOKEN=${token} ` : "";
    tell(`  ${given}harness worker --join ${shown}:${listening}${tellsToken ? "" : "   (with the token of this run)"}`);
  }

  /** Resolves once every seat is taken. */
  async complete(): Promise<void> {
    const { signal, workers } = this.options;
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      this.tellComplete = () => {
        if (this.seats.size < workers.length) return;
        signal.removeEventListener("abort", abort);
        resolve();
      };
      if (signal.aborted) abort();
    });
  }

  private greet(socket: Socket): void {
    this.sockets.add(socket);
    const nonce = newNonce();
    const timer = setTimeout(() => socket.destroy(), OPENING_LIMIT_MS);
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      this.sockets.delete(socket);
    });
    readJsonLines(
      socket,
      (value, stop) => {
        const rest = stop();
        clearTimeout(timer);
        const opening = openingSchema.safeParse(value);
        if (!opening.success || !isProof(opening.data.proof, this.options.token, nonce)) {
          sendLine(socket, { type: "refused", reason: "the token is not that of this run" } satisfies ToHost);
          socket.end();
          return;
        }
        this.letIn(opening.data, socket, rest);
      },
      // Nobody has to listen to much from a stranger.
      4_096,
    );
    sendLine(socket, { type: "challenge", nonce });
  }

  private letIn(opening: Opening, socket: Socket, rest: Buffer): void {
    if (opening.type === "tunnel") {
      const target = this.field && targetOf(this.field, opening.target, opening.worker);
      if (target) passOn(socket, rest, target);
      else socket.destroy();
      return;
    }
    const free = this.options.workers.filter((worker) => !this.seats.has(worker)).slice(0, opening.slots);
    const reason =
      opening.build !== this.options.build
        ? `this run is of build ${this.options.build}, and the host has ${opening.build}`
        : free.length === 0
          ? "every worker has a host already"
          : undefined;
    if (reason !== undefined) {
      this.options.tell(`${opening.name} was sent away: ${reason}.`);
      sendLine(socket, { type: "refused", reason } satisfies ToHost);
      socket.end();
      return;
    }
    const host: Host = { name: opening.name, socket, trips: [], children: new Map() };
    this.hosts.add(host);
    for (const worker of free) this.seats.set(worker, host);
    readJsonLines(socket, (value) => this.hear(host, fromHostSchema.parse(value)));
    if (rest.length > 0) socket.unshift(rest);
    socket.resume();
    socket.on("close", () => this.gone(host));
    sendLine(socket, { type: "welcome" } satisfies ToHost);
    this.options.tell(`${opening.name} has joined, for ${free.map((worker) => `worker:${worker}`).join(", ")}.`);
    this.tellComplete();
  }

  private hear(host: Host, message: FromHost): void {
    if (message.type === "clock") host.trips.push(message);
    else host.children.get(message.child)?.hear(message);
  }

  private gone(host: Host): void {
    if (!this.hosts.delete(host)) return;
    for (const child of host.children.values()) child.end({ code: undefined, signal: "lost host", stderr: "" });
    if (!this.over) {
      this.lose(new UnavailableError(`The host ${host.name} is gone: its connection ended.`, { code: "HOST_LOST" }));
    }
  }

  plays(worker: number): boolean {
    return this.options.workers.includes(worker);
  }

  begin(field: LockField, startedAtMonotonicNs: string): void {
    this.field = field;
    this.startNs = BigInt(startedAtMonotonicNs);
    const baseSeconds = Math.floor(Date.now() / 1_000);
    this.clock = watchWitnessClock(field.witnessNode, {
      ...{ now: this.now, baseSeconds },
      onTrip: (trip) => this.ownTrips.push(trip),
    });
    for (const { socket } of this.hosts) sendLine(socket, { type: "begin", baseSeconds } satisfies ToHost);
  }

  private readonly now = (): number => Number(process.hrtime.bigint() - this.startNs);

  equip(options: WorkerProcessOptions): WorkerProcessOptions {
    return { ...options, body: this.open(options.assignment) };
  }

  private open(assignment: WorkerAssignment): RemoteWorker {
    const host = this.seats.get(assignment.worker);
    if (!host) throw new Error(`worker:${assignment.worker} has no host`);
    this.children += 1;
    const id = `${assignment.worker}.${assignment.incarnation}.${this.children}`;
    const child = new RemoteWorker({
      ...{ id, host, assignment },
      modules: this.options.modulesOf(assignment),
      now: this.now,
      aligned: () => this.aligned(host),
      bound: (alignment, fromNs) => boundOver(host.trips, this.ownTrips, alignment, { fromNs, toNs: this.now() }),
    });
    host.children.set(id, child);
    void child.exited.then(() => host.children.delete(id));
    if (!this.hosts.has(host)) child.end({ code: undefined, signal: "lost host", stderr: "" });
    return child;
  }

  private async aligned(host: Host): Promise<Alignment> {
    const deadline = performance.now() + ALIGN_LIMIT_MS;
    for (;;) {
      if (Math.min(host.trips.length, this.ownTrips.length) >= FIRST_TRIPS) {
        const alignment = align(host.trips, this.ownTrips);
        if (alignment) return alignment;
      }
      if (performance.now() > deadline) {
        throw new Error(`the clock of ${host.name} is not known: the witness cannot be reached from there`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    this.over = true;
    this.clock?.close();
    for (const { socket } of this.hosts) {
      sendLine(socket, { type: "over" } satisfies ToHost);
      socket.end();
    }
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    // Those that are not through with what they were told are cut off.
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, 500);
    await closed;
    clearTimeout(timer);
  }
}
