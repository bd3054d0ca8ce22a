import type { ChildProcess } from "node:child_process";
import { builtFile } from "../../package-root.ts";
import { StorageError } from "../../storage-error.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import { spawnOwned } from "../../supervisor/spawn-owned.ts";
import type { FromJudge, Judgement, JudgeOrder, ToJudge } from "./messages.ts";

/**
 * Judges cells in a process of its own: the one that runs the cells also reads the traces of their servers, and may not
 * stand still for as long as it takes to judge one of them.
 */
export interface JudgeProcess {
  /**
   * Gives nothing where nothing was to be judged.
   * @throws StorageError when the history cannot be written
   */
  judge(order: JudgeOrder): Promise<Judgement | undefined>;
  close(): void;
}

const STDERR_TAIL = 2_000;

interface Asked {
  resolve(judgement: Judgement | undefined): void;
  reject(error: Error): void;
}

export function createJudge(supervisor: Supervisor, start: typeof startJudge = startJudge): JudgeProcess {
  const asked = new Map<number, Asked>();
  let child: ChildProcess | undefined;
  let lastId = 0;

  function living(): ChildProcess {
    if (child?.connected) return child;
    const born = start(supervisor);
    const own = new Set<number>();
    let lastWords = "";
    born.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      lastWords = (lastWords + chunk).slice(-STDERR_TAIL);
    });
    born.on("message", (reply: FromJudge) => {
      const waiting = asked.get(reply.id);
      asked.delete(reply.id);
      if (!("error" in reply)) waiting?.resolve(reply.judgement);
      else
        waiting?.reject(reply.error.storage ? new StorageError(reply.error.message) : new Error(reply.error.message));
    });
    const ended = (why: string) => {
      if (child === born) child = undefined;
      for (const id of own) {
        asked.get(id)?.reject(new Error(`The process that judges cells ended: ${lastWords.trim() || why}`));
        asked.delete(id);
      }
    };
    born.once("error", (error) => ended(error.message));
    born.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
    ownIds.set(born, own);
    child = born;
    return born;
  }
  const ownIds = new WeakMap<ChildProcess, Set<number>>();

  return {
    judge(order) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        asked.set(id, { resolve, reject });
        const judge = living();
        ownIds.get(judge)?.add(id);
        // One that cannot be told is about to exit, which is told to whoever waits.
        judge.send({ id, order } satisfies ToJudge, () => {});
      });
    },
    close() {
      child?.kill("SIGKILL");
      child = undefined;
    },
  };
}

function startJudge(supervisor: Supervisor): ChildProcess {
  return spawnOwned(supervisor, process.execPath, [builtFile("harness/matrix/judging/entry.js")], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
}
