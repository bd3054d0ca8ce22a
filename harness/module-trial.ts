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

const tried = new Map<string, Promise<string | undefined>>();

/**
 * Loads a user's module in a process of its own first, since one that ends its process or never comes back would take
 * this one along. Gives what is wrong with that, as a sentence that begins with the path; a module that throws is none of
 * it, and says so when it is loaded here.
 */
export function modulePeril(path: string, limitMs = LOAD_LIMIT_MS): Promise<string | undefined> {
  let trial = tried.get(path);
  if (!trial) {
    trial = tryLoading(path, limitMs);
    tried.set(path, trial);
  }
  return trial;
}

function tryLoading(path: string, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [builtFile("harness/module-trial/entry.js"), path, String(limitMs)], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    let begins = false;
    let cameBack = false;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, limitMs);
    const interrupt = (signal: NodeJS.Signals) => {
      child.kill("SIGKILL");
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
      cameBack ||= message === CAME_BACK;
    });
    // Where a trial is not possible the module is loaded as it is.
    child.on("error", () => settle(() => resolve(undefined)));
    child.on("close", (code, signal) =>
      settle(() => resolve(cameBack || !begins ? undefined : peril(path, { code, signal, isLate, limitMs }))),
    );
  });
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
