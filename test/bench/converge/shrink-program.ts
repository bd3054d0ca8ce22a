// Finds a counterexample of 60 events in every broken type that builds on a shipped one, and shrinks it: prints name,
// oracle, events left and processor time of each, as JSON.
import { loadAdapter } from "../../../harness/converge/adapter/load-adapter.ts";
import { counterexample } from "../../../harness/converge/counterexample/counterexample.ts";
import { Generator } from "../../../harness/converge/plan/generate.ts";
import { POOLS } from "../../../harness/converge/plan/pool.ts";
import { possibleKinds } from "../../../harness/converge/run/possible-kinds.ts";
import { Runner } from "../../../harness/converge/run/runner.ts";

export interface Shrunk {
  name: string;
  oracle: string;
  eventsAfter: number;
  cpuMs: number;
}

const EVENTS = 60;
const MOST_SCHEDULES = 20_000;
const shrunk: Shrunk[] = [];
for (const ref of JSON.parse(process.argv[2]!) as { name: string; path: string }[]) {
  const adapter = await loadAdapter(ref);
  const runner = new Runner(adapter, { regions: 3, maxEvents: EVENTS });
  const kinds = possibleKinds(runner.world);
  const generator = new Generator({ seed: 1, minEvents: EVENTS, maxEvents: EVENTS, pools: POOLS, kinds });
  for (let index = 0; index < MOST_SCHEDULES; index++) {
    const schedule = generator.generate(index).slice();
    const failure = runner.run(schedule, true);
    if (failure === undefined) continue;
    const start = process.cpuUsage();
    const { eventsAfter } = counterexample(runner, schedule, failure.oracle, true)!;
    const { user, system } = process.cpuUsage(start);
    shrunk.push({ name: ref.name, oracle: failure.oracle, eventsAfter, cpuMs: (user + system) / 1_000 });
    break;
  }
}
console.log(JSON.stringify(shrunk));
