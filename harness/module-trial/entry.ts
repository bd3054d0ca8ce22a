// Loads one module and says that it came back, for better or worse. A thread ends the process where the module keeps the
// main one busy for ever, after the time limit or when nobody is there any more who would.
import { Worker } from "node:worker_threads";
import { loadModule } from "../load-module.ts";
import { BEGINS, CAME_BACK } from "../module-trial.ts";

const [path = "", limitMs = "0"] = process.argv.slice(2);
const watch = `
  const parent = process.ppid;
  const endsAtMs = Date.now() + ${Number(limitMs) + 1_000};
  setInterval(() => {
    if (process.ppid !== parent || Date.now() > endsAtMs) process.kill(process.pid, "SIGKILL");
  }, 100);
`;
new Worker(watch, { eval: true }).unref();

await new Promise((resolve) => process.send?.(BEGINS, resolve));
await loadModule(path).catch(() => {});
process.send?.(CAME_BACK, () => process.exit(0));
