import { spawn } from "node:child_process";
import { HarnessError } from "./errors.ts";
import { builtFile } from "./package-root.ts";

/** How long a module of the user's may take to load, ms. */
const LOAD_LIMIT_MS = 15_000;
/** What the trial says before it loads the module. */
export const BEGINS = "begins";
/** What it says when the module is loaded, or has thrown. */
export const CAME_BACK = "came back";

/** A signal came while something of the user's was being loaded. */
class InterruptedLoad extends HarnessError {
  constructor(path: string, signal: "SIGINT" | "SIGTERM") {
    super(`Interrupted by ${signal} while ${path} was being loaded.`, {
      code: "INTERRUPTED",
      exitCode: signal === "SIGINT" ? 130 : 143,
    });
  }
}

/** What it says when createLock has given something that is no lock: this, and what is wrong with that. */
export const NO_LOCK = "no lock: ";

export interface ModuleTrial {
  /** The module ends its process or does not come back: a sentence that begins with the path. */
  peril?: string;
  /** It came back, and its createLock gives something that is no lock. */
  noLock?: string;
}

export interface TrialOptions {
  limitMs?: number;
  /** Present: createLock is called too, with these options of the lock. */
  lockOptions?: Readonly<Record<string, unknown>>;
}

const tried = new Map<string, Promise<ModuleTrial>>();

/**
 * Loads a user's module in a process of its own first, since one that ends its process or never comes back would take
 * this one along. A module that throws is no peril, and says so when it is loaded here; neither is a createLock that
 * throws or waits where there is no Redis yet.
 */
export function tryModule(
  path: string,
  { limitMs = LOAD_LIMIT_MS, lockOptions }: TrialOptions = {},
): Promise<ModuleTrial> {
  const key = JSON.stringify([path, lockOptions]);
  let trial = tried.get(key);
  if (!trial) {
    trial = startTrial(path, limitMs, lockOptions);
    tried.set(key, trial);
  }
  return trial;
}

/** The same of a module that is no lock. Gives what is wrong with it, if anything is. */
export async function modulePeril(path: string): Promise<string | undefined> {
  return (await tryModule(path)).peril;
}

function startTrial(path: string, limitMs: number, lockOptions: TrialOptions["lockOptions"]): Promise<ModuleTrial> {
  return new Promise((resolve, reject) => {
    const args = [path, String(limitMs), ...(lockOptions === undefined ? [] : [JSON.stringify(lockOptions)])];
    const child = spawn(process.execPath, [builtFile("harness/module-trial/entry.js"), ...args], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // A group of its own, so that what the module starts goes with it.
      detached: true,
    });
    let begins = false;
    let cameBack = false;
    let noLock: string | undefined;
    let isLate = false;
    const end = () => {
      isLate = true;
      endGroup(child.pid);
    };
    let timer = setTimeout(end, limitMs);
    const interrupt = (signal: NodeJS.Signals) => {
      endGroup(child.pid);
      settle(() => reject(new InterruptedLoad(path, signal as "SIGINT" | "SIGTERM")));
    };
    function settle(how: () => void): void {
      clearTimeout(timer);
      for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, interrupt);
      how();
    }
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, interrupt);
    child.on("message", (message) => {
      begins ||= message === BEGINS;
      if (message === CAME_BACK) {
        cameBack = true;
        clearTimeout(timer);
        timer = setTimeout(end, limitMs);
      }
      if (typeof message === "string" && message.startsWith(NO_LOCK)) noLock = message.slice(NO_LOCK.length);
    });
    // Where a trial is not possible the module is loaded as it is.
    child.on("error", () => settle(() => resolve({})));
    child.on("exit", () => endGroup(child.pid));
    child.on("close", (code, signal) =>
      settle(() => {
        if (begins && !cameBack) resolve({ peril: peril(path, { code, signal, isLate, limitMs }) });
        else if (isLate) resolve({ noLock: busyForEver(path, limitMs) });
        else resolve(noLock === undefined ? {} : { noLock });
      }),
    );
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of it is left.
  }
}

/** One that waits is let go after a moment; only one that keeps its process busy is still there. */
function busyForEver(path: string, limitMs: number): string {
  return `createLock of ${path} does not come back: after ${limitMs / 1000} s it was still at it. Look for a loop`;
}

/** What Node ends with when a top-level await is still pending and nothing is left to wait for. */
const UNSETTLED_AWAIT = 13;

function peril(
  path: string,
  { code, signal, isLate, limitMs }: { code: number | null; signal: string | null; isLate: boolean; limitMs: number },
): string {
  if (isLate) {
    return `${path} does not come back from being loaded: after ${limitMs / 1000} s it was still at it. Look for a loop, or a top-level await that never resolves.`;
  }
  if (code === UNSETTLED_AWAIT) {
    return `${path} does not come back from being loaded: it has a top-level await that never resolves.`;
  }
  return `${path} ends its process while it is loaded (${signal ?? `exit code ${code}`}). A module may not do that: look for process.exit.`;
}
