import type { Socket } from "node:net";
import { messageOf } from "../../errors.ts";
import type { Alignment } from "../../measure/clock-alignment.ts";
import { appendWhole } from "../../storage-error.ts";
import type { FromWorker, ToWorker, TriggerLine, WorkerAssignment } from "../messages.ts";
import { openMailbox, type WorkerBody, type WorkerMailbox } from "../orchestrator/worker-process.ts";
import { exitWithoutJournal, type WorkerExit } from "../worker-end.ts";
import { type FromHost, type SentModule, sendLine, type ToHost } from "./wire.ts";

export interface RemoteWorkerOptions {
  id: string;
  /** Where it runs: its name, and the connection to it. */
  host: { name: string; socket: Socket };
  assignment: WorkerAssignment;
  modules: Record<string, SentModule>;
  now(): number;
  aligned(): Promise<Alignment>;
  bound(alignment: Alignment, fromNs: number): number;
}

/** A worker process of a host, as the orchestrator drives it. */
export class RemoteWorker implements WorkerBody {
  readonly pid = undefined;
  readonly exited: Promise<WorkerExit>;
  readonly mailbox: WorkerMailbox;
  onTrigger: (line: TriggerLine) => void = () => {};
  private readonly options: RemoteWorkerOptions;
  private readonly started: Promise<void>;
  private readonly waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  private alignment: Alignment | undefined;
  private readonly openedNs: number;
  private lastId = 0;
  private isOver = false;
  private tellExit: (exit: WorkerExit) => void = () => {};

  constructor(options: RemoteWorkerOptions) {
    this.options = options;
    this.openedNs = options.now();
    this.exited = new Promise((resolve) => {
      this.tellExit = resolve;
    });
    this.mailbox = openMailbox(this.exited);
    this.started = this.start();
    this.started.catch((error) => this.end({ code: undefined, signal: undefined, stderr: messageOf(error) }));
  }

  private async start(): Promise<void> {
    const { id, assignment, modules, aligned } = this.options;
    this.alignment = await aligned();
    // Its journal counts from the run's zero, as far as that is known.
    const zeroNs = -this.alignment.offsetNs;
    const { mark: _, ...rest } = assignment;
    this.say({ type: "start", child: id, zeroNs, modules, assignment: rest as never });
  }

  private say(message: ToHost): void {
    sendLine(this.options.host.socket, message);
  }

  // A property: whoever drives a process takes it out of its body.
  readonly tell = async (message: ToWorker): Promise<void> => {
    await this.started;
    // The host makes the assignment its own, and gives it by itself.
    if (message.type !== "assign") this.say({ type: "tell", child: this.options.id, message: { ...message } });
  };

  signal(signal: "SIGKILL" | "SIGTERM" | "SIGCONT"): void {
    this.send(signal).catch(() => {});
  }

  stop(): Promise<void> {
    return this.send("SIGSTOP");
  }

  private async send(signal: "SIGSTOP" | "SIGCONT" | "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.isOver) return;
    this.lastId += 1;
    const id = this.lastId;
    const done = new Promise<void>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.say({ type: "signal", child: this.options.id, id, signal });
    await done;
  }

  hear(message: Exclude<FromHost, { type: "clock" }>): void {
    switch (message.type) {
      case "said":
        // What it may be is the worker's business: it is the same build.
        this.mailbox.deliver(message.message as FromWorker);
        break;
      case "trigger":
        this.onTrigger(message.line);
        break;
      case "journal":
        this.record(message.text);
        break;
      case "signalled": {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error === undefined) waiting?.resolve();
        else waiting?.reject(new Error(message.error));
        break;
      }
      case "exited":
        this.end({ code: message.code, signal: message.signal, stderr: message.stderr });
    }
  }

  end(exit: WorkerExit): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const { reject } of this.waiting.values()) reject(new Error("the worker is gone"));
    this.writeClock();
    this.tellExit(exit);
  }

  /** By how much the times of its journal may be wrong: what the checks have to know. */
  private writeClock(): void {
    const { alignment, openedNs } = this;
    const { assignment, host, now, bound } = this.options;
    if (!alignment) return;
    const { round, arm, worker, incarnation } = assignment;
    const detail = {
      host: host.name,
      offsetNs: alignment.offsetNs,
      boundNs: bound(alignment, openedNs),
      firstBoundNs: alignment.boundNs,
    };
    const event = {
      atNs: now(),
      round,
      arm,
      worker,
      incarnation,
      op: "worker",
      phase: "info",
      outcome: "clock",
      detail,
    };
    this.record(`${JSON.stringify(event)}\n`);
  }

  private record(text: string): void {
    try {
      appendWhole(this.options.assignment.journalFile, text);
    } catch (error) {
      this.signal("SIGKILL");
      this.end(exitWithoutJournal(error));
    }
  }
}
