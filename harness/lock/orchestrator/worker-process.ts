import { execa } from "execa";
import type { ClockChange, FaultWorker } from "../../faults/fault.ts";
import { builtFile } from "../../package-root.ts";
import { untilProcess } from "../../process-state.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import type { ArmedTrigger, FromWorker, ToWorker, TriggerLine, WorkerAssignment } from "../messages.ts";
import type { KeyTemplate } from "../trace/key-templates.ts";
import { lastWords, recordingFailure, type WorkerExit } from "../worker-end.ts";
import { readTriggers } from "./trigger-pipe.ts";

/** The parent's side of one worker process. */
export interface WorkerProcess extends Omit<FaultWorker, "kill" | "terminate"> {
  /** Undefined where it is no process of this machine. */
  readonly pid: number | undefined;
  readonly assignment: WorkerAssignment;
  /** Loads what the assignment names. Rejects with the worker's own reason when it cannot. */
  readonly loaded: Promise<void>;
  /**
   * Gives how its lock spells its keys; null: it does not spell them out.
   * @param limitMs how long createLock may take
   */
  connect(limitMs?: number): Promise<readonly KeyTemplate[] | null>;
  go(triggers: readonly ArmedTrigger[]): Promise<void>;
  /** Resolves when the worker has ended its jobs and is gone; rejects when it ended in another way. */
  finish(): Promise<void>;
  /** SIGKILL, stopped or not. */
  destroy(): void;
  /** SIGTERM, and SIGKILL after the grace period. */
  end(graceMs: number): void;
  readonly exited: Promise<WorkerExit>;
}

export interface WorkerProcessOptions {
  assignment: WorkerAssignment;
  supervisor: Supervisor;
  onTrigger(trigger: TriggerLine): void;
  /** The lock breaks its contract at work. */
  onBreach(breach: WorkerRefusal): void;
  /** A process that has been a worker before and is as good as new. Absent: one is started. */
  body?: WorkerBody;
  /** Takes the process at the end of its work, if nothing is left of it. Absent: it exits. */
  retire?(body: WorkerBody): void;
}

/** A process that plays one worker after the other. */
export interface WorkerBody {
  readonly pid: number | undefined;
  readonly exited: Promise<WorkerExit>;
  readonly mailbox: WorkerMailbox;
  tell(message: ToWorker): Promise<void>;
  signal(name: "SIGKILL" | "SIGTERM" | "SIGCONT"): void;
  /** SIGSTOP; resolves once it is seen stopped. */
  stop(): Promise<void>;
  /** Who hears of triggers now. */
  onTrigger: (trigger: TriggerLine) => void;
}

/** How long a worker may take to load, connect, or answer, ms. Generous: a busy machine is no fault of the worker. */
const ANSWER_LIMIT_MS = 20_000;
const STDERR_TAIL = 4_000;
/** How long a worker may take from the word that it stops itself to the stop, ms. */
const SELF_STOP_LIMIT_MS = 20_000;

export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const { assignment, supervisor, onTrigger, onBreach, retire } = options;
  const body = options.body ?? startBody(supervisor);
  body.onTrigger = onTrigger;
  const { pid, mailbox, tell } = body;
  mailbox.onBreach = onBreach;
  let retired: (exit: WorkerExit) => void = () => {};
  let isRetired = false;
  const exited = Promise.race([
    body.exited,
    new Promise<WorkerExit>((resolve) => {
      retired = resolve;
    }),
  ]);

  let lastId = 0;
  async function answered(message: (id: number) => ToWorker): Promise<void> {
    lastId += 1;
    const id = lastId;
    const answer = mailbox.wait((reply) => reply.type === "done" && reply.id === id);
    // It may fail while the message is still on its way, when nobody waits for it yet.
    answer.catch(() => {});
    await tell(message(id));
    await answer;
  }

  async function finish(): Promise<void> {
    const ended = mailbox.wait(({ type }) => type === "finished", Number.POSITIVE_INFINITY);
    ended.catch(() => {});
    await tell({ type: "finish", ...(retire ? { stays: true } : {}) });
    const last = await Promise.race([ended, exited]);
    if (retire && "stays" in last && last.stays) {
      isRetired = true;
      body.onTrigger = () => {};
      retired({ code: 0, signal: undefined, stderr: "" });
      retire(body);
      return;
    }
    const { code, signal, stderr: tail } = await exited;
    if (code !== 0) throw new Error(`worker:${assignment.worker} ended with ${signal ?? `code ${code}`}: ${tail}`);
  }

  // One that ends by itself before it is ready was ended by what it loads, and by nobody else.
  const asRefusal = (doing: string, late: (error: NoAnswer) => string) => (error: unknown) => {
    if (error instanceof WorkerEnded && error.exit.code !== undefined) {
      throw new WorkerRefusal(`the worker that ${doing} ${assignment.lock.path} ${error.how}`);
    }
    if (error instanceof NoAnswer) throw new WorkerRefusal(late(error));
    throw error;
  };
  const loaded = mailbox
    .wait(({ type }) => type === "loaded")
    .then(() => {})
    .catch(asRefusal("loads", ({ message }) => `${assignment.lock.path}: the worker that loads it ${message}`));
  loaded.catch(() => {});
  void tell({ type: "assign", assignment }).catch(() => {});

  return {
    ...{ pid, assignment, exited, loaded, finish },
    name: `worker:${assignment.worker}`,
    async connect(limitMs = ANSWER_LIMIT_MS) {
      await loaded;
      const ready = mailbox.wait(({ type }) => type === "ready", limitMs);
      ready.catch(() => {});
      await tell({ type: "connect" });
      const message = await ready.catch(
        asRefusal(
          "runs createLock of",
          () =>
            `createLock of ${assignment.lock.path} had not come back after ${limitMs / 1000} s. ` +
            "Look for a promise that never resolves, or a connection that it waits for",
        ),
      );
      return message.type === "ready" ? message.keys : null;
    },
    go: (triggers) => tell({ type: "go", triggers }),
    stop: () => body.stop(),
    async resume() {
      body.signal("SIGCONT");
      await answered((id) => ({ type: "ping", id }));
    },
    setClock: (change: ClockChange) => answered((id) => ({ type: "clock", id, change })),
    setBurden: (threads) => answered((id) => ({ type: "burden", id, threads })),
    block: (durationMs) => tell({ type: "block", durationMs }),
    destroy() {
      // What has retired may be another worker by now.
      if (!isRetired) body.signal("SIGKILL");
    },
    end(graceMs) {
      // A stopped process gets its SIGTERM only when it goes on.
      body.signal("SIGCONT");
      body.signal("SIGTERM");
      const timer = setTimeout(() => body.signal("SIGKILL"), graceMs);
      void exited.then(() => clearTimeout(timer));
    },
  };
}

/** Starts a process that plays workers. `onMessage` hears what it says beside those who wait in its mailbox. */
export function startBody(supervisor: Supervisor, onMessage: (message: FromWorker) => void = () => {}): WorkerBody {
  const subprocess = execa(process.execPath, ["--enable-source-maps", builtFile("harness/lock/worker/entry.js")], {
    ipc: true,
    // A session of its own: the terminal's Ctrl-C is for the orchestrator, which then ends the workers in order.
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    env: { ...supervisor.childEnv },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const pid = subprocess.pid;
  if (pid === undefined) throw new Error("a worker process could not be started");
  supervisor.own(pid);

  let stderr = "";
  subprocess.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_TAIL);
  });
  const exited = subprocess.then(({ exitCode, signal }): WorkerExit => {
    supervisor.disown(pid);
    return { code: exitCode, signal, stderr: stderr.trim() };
  });
  const body: WorkerBody = {
    ...{ pid, exited, mailbox: openMailbox(exited), onTrigger: () => {} },
    tell: (message) => subprocess.sendMessage(message as never),
    signal: (name) => void subprocess.kill(name),
    async stop() {
      process.kill(pid, "SIGSTOP");
      await untilProcess(pid, "stopped");
    },
  };
  readTriggers(subprocess.stdio[3] as NodeJS.ReadableStream, {
    untilStopped: () => untilProcess(pid, "stopped", SELF_STOP_LIMIT_MS),
    onTrigger: (line) => body.onTrigger(line),
  });
  void receive(subprocess, (message) => {
    body.mailbox.deliver(message);
    onMessage(message);
  });
  return body;
}

async function receive(
  subprocess: { getEachMessage(): AsyncIterableIterator<unknown> },
  deliver: (message: FromWorker) => void,
): Promise<void> {
  try {
    for await (const message of subprocess.getEachMessage()) deliver(message as FromWorker);
  } catch {
    // The worker ended; `exited` tells how.
  }
}

export type WorkerMailbox = ReturnType<typeof openMailbox>;

/** Lets several parties wait for messages of one worker, each for its own. */
export function openMailbox(exited: Promise<WorkerExit>) {
  const waiting = new Set<{
    wanted(message: FromWorker): boolean;
    resolve(message: FromWorker): void;
    reject(error: Error): void;
  }>();
  void exited.then((exit) => {
    const error = recordingFailure(exit) ?? new WorkerEnded(exit);
    for (const entry of waiting) entry.reject(error);
  });
  return {
    /** Hears of it when the lock breaks its contract at work. */
    onBreach: (_breach: WorkerRefusal): void => {},
    deliver(message: FromWorker): void {
      if (message.type === "breach") this.onBreach(new WorkerRefusal(message.reason));
      for (const entry of waiting) {
        if (message.type === "refused") entry.reject(new WorkerRefusal(message.reason));
        else if (entry.wanted(message)) entry.resolve(message);
      }
    },
    wait(wanted: (message: FromWorker) => boolean, limitMs = ANSWER_LIMIT_MS): Promise<FromWorker> {
      return new Promise<FromWorker>((resolve, reject) => {
        const entry = {
          wanted,
          resolve: (message: FromWorker) => settle(() => resolve(message)),
          reject: (error: Error) => settle(() => reject(error)),
        };
        const timer =
          limitMs === Number.POSITIVE_INFINITY
            ? undefined
            : setTimeout(() => entry.reject(new NoAnswer(limitMs)), limitMs);
        function settle(how: () => void): void {
          clearTimeout(timer);
          waiting.delete(entry);
          how();
        }
        waiting.add(entry);
      });
    },
  };
}

class NoAnswer extends Error {
  constructor(limitMs: number) {
    super(`did not answer within ${limitMs / 1000} s`);
  }
}

/** The worker is gone. */
class WorkerEnded extends Error {
  readonly exit: WorkerExit;
  readonly how: string;

  constructor(exit: WorkerExit) {
    const { code, signal, stderr } = exit;
    const words = lastWords(stderr);
    const how = `ended with ${signal ?? `code ${code}`}${words === "" ? "" : `: ${words}`}`;
    super(`the worker ${how}`);
    this.exit = exit;
    this.how = how;
  }
}

/** The worker said why it cannot do its work: an adapter that throws or breaks its contract. */
export class WorkerRefusal extends Error {
  override readonly name = "WorkerRefusal";
}
