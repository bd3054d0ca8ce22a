// The wall clock must be in place before any library can read the true one: everything else loads after it.
import { installWallClock } from "./wall-clock.ts";

const clock = installWallClock();
const { runWorker } = await import("./child.ts");
await runWorker(clock);
