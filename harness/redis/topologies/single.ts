import { startIndependent } from "./independent.ts";
import type { StartTopology } from "./topology.ts";

/** One server. */
export const startSingle: StartTopology = (context) => startIndependent(context, 1);
