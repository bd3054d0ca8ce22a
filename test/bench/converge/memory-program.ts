// Runs schedules of the reference document in one thread and prints the heap after a forced collection, in MB: after the
// warm-up, and after every tenth of the schedules that follow. Started with --expose-gc.
import { loadAdapter } from "../../../harness/converge/adapter/load-adapter.ts";
import { Executor } from "../../../harness/converge/campaign/executor.ts";
import { builtFile } from "../../../harness/package-root.ts";

const schedules = Number(process.argv[2]);
const adapter = await loadAdapter({ name: "document", path: builtFile("workloads/crdts/replicas/document.js") });
const executor = new Executor(adapter, { seed: 1, regions: 3, minEvents: 20, maxEvents: 20, all: false });
const heaps: number[] = [];
let first = 0;
run(schedules / 10);
note();
for (let part = 0; part < 10; part++) {
  run(schedules / 10);
  note();
}
console.log(JSON.stringify(heaps));

function run(count: number): void {
  executor.run({ first, stride: 1, count }, () => {});
  first += count;
}

function note(): void {
  (globalThis as { gc?: () => void }).gc!();
  heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
}
