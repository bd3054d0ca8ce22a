// Loads one module and says that it came back, for better or worse; of a lock's it also says what createLock gives, if
// that is none. A thread ends the process where the module keeps the main one busy for ever, after the time limit or when
// nobody is there any more who would.
import { Worker } from "node:worker_threads";
import { loadModule } from "../load-module.ts";
import { BEGINS, CAME_BACK, NO_LOCK } from "../module-trial.ts";
import { flawOfMadeLock } from "./make-lock.ts";

const [path = "", limitMs = "0", lockOptions] = process.argv.slice(2);
// A group of its own: what the module has started ends with it.
const watch = `
  const parent = process.ppid;
  const endsAtMs = Date.now() + ${2 * Number(limitMs) + 1_000};
  setInterval(() => {
    if (process.ppid === parent && Date.now() < endsAtMs) return;
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      process.kill(process.pid, "SIGKILL");
    }
  }, 100);
`;
new Worker(watch, { eval: true }).unref();
const say = (message: string) => new Promise((resolve) => process.send?.(message, resolve));

await say(BEGINS);
const module = await loadModule(path).catch(() => undefined);
await say(CAME_BACK);
if (module && lockOptions !== undefined) {
  const flaw = await flawOfMadeLock(module, path, JSON.parse(lockOptions));
  if (flaw !== undefined) await say(`${NO_LOCK}${flaw}`);
}
process.exit(0);
