import { type ChildProcess, spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import { createInterface } from "node:readline";
import { UnavailableError } from "../errors.ts";
import { builtFile } from "../package-root.ts";
import { follow, noCharges } from "./charges.ts";
import { cleanUp } from "./cleanup.ts";
import { RUN_ID_VARIABLE } from "./marked.ts";
import { type CleanupReport, noticeSchema, type Order, toLine } from "./messages.ts";
import { identify } from "./process-identity.ts";
import { realSystem } from "./system.ts";

/**
 * The safety net of a run: a process in a session of its own that holds a pipe to the orchestrator. However the
 * orchestrator ends, the supervisor then continues and kills every child in charge, runs the commands in charge and
 * removes the folders in charge.
 */
export interface Supervisor {
  readonly runId: string;
  readonly pid: number;
  /** Must be in the environment of every child, so that one that was not yet registered is found too (on Linux). */
  readonly childEnv: Readonly<Record<string, string>>;
  /** Takes charge of a running process. A process that is gone already is left alone, and so is a later one under its id. */
  own(pid: number): void;
  disown(pid: number): void;
  /** Takes charge of a folder (absolute path), which may come into being later. */
  ownFolder(path: string): void;
  disownFolder(path: string): void;
  /** Takes charge of something that only a command undoes, such as `docker rm --force NAME`. */
  ownCommand(command: readonly string[]): void;
  disownCommand(command: readonly string[]): void;
  /** Resolves if the supervisor ends without having been asked to: nobody would clean up after a crash any more. */
  readonly lost: Promise<Error>;
  /** The orderly end: cleans up whatever is still in charge, and waits until the supervisor is gone. May be called again. */
  close(): Promise<CleanupReport>;
}

/** Code of the error by which a run ends whose supervisor is gone. */
export const SUPERVISOR_LOST = "SUPERVISOR_LOST";

const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 60_000;

/** @param options.runId names the run among all others of this machine */
export async function startSupervisor(options: { runId: string; entry?: string }): Promise<Supervisor> {
  const { runId, entry = builtFile("harness/supervisor/entry.js") } = options;
  const child = spawn(process.execPath, [entry, runId], {
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    env: { ...process.env, NODE_OPTIONS: "", [RUN_ID_VARIABLE]: "" },
  });
  let closing: Promise<CleanupReport> | undefined;
  let report: CleanupReport | undefined;
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const notice = noticeSchema.parse(JSON.parse(line));
      if (notice.type === "ready") resolve();
      else report = notice.report;
    });
  });
  // A broken pipe shows in `ended`.
  child.stdin.on("error", () => {});

  // Known here too, for the case that the supervisor is killed: then this process cleans up.
  const charges = noCharges();
  const order = (message: Order) => {
    if (message.type !== "close") follow(charges, message);
    if (child.stdin.writable) child.stdin.write(toLine(message));
  };
  await orFail(
    Promise.race([ready, ended.then((how) => Promise.reject(new Error(`The supervisor did not start: ${how}.`)))]),
    START_TIMEOUT_MS,
    () => child.kill("SIGKILL"),
  );
  letGo(child);

  return {
    runId,
    pid: child.pid as number,
    childEnv: { [RUN_ID_VARIABLE]: runId },
    own(pid) {
      const identity = identify(pid);
      if (identity) order({ type: "own", ...identity });
    },
    disown: (pid) => order({ type: "disown", pid }),
    ownFolder(path) {
      if (!isAbsolute(path) || path === "/") throw new Error(`A folder to be removed needs its full path: ${path}`);
      order({ type: "own-folder", path });
    },
    disownFolder: (path) => order({ type: "disown-folder", path }),
    ownCommand: (command) => order({ type: "own-command", command: [...command] }),
    disownCommand: (command) => order({ type: "disown-command", command: [...command] }),
    lost: new Promise((resolve) => {
      ended.then((how) => {
        if (closing) return;
        const message =
          `The supervisor of this run, the process that cleans up after it, was ended from outside (${how}). ` +
          "The run was ended too, so that nothing of it stays behind. Start it again.";
        resolve(new UnavailableError(message, { code: SUPERVISOR_LOST }));
      });
    }),
    close() {
      closing ??= (async () => {
        order({ type: "close" });
        child.stdin.end();
        const how = await orFail(ended, CLOSE_TIMEOUT_MS, () => child.kill("SIGKILL")).catch(() => undefined);
        if (report) return report;
        if (how === undefined) child.kill("SIGKILL");
        return await cleanUp(charges, realSystem(runId), 1);
      })();
      return closing;
    },
  };
}

/** Nothing of the supervisor may keep the orchestrator from ending: its end is what the supervisor waits for. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
}

async function orFail<T>(promise: Promise<T>, afterMs: number, fail: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      fail();
      reject(new Error(`The supervisor did not answer within ${afterMs / 1000} s.`));
    }, afterMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
