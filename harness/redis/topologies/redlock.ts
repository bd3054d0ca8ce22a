import { startIndependent } from "./independent.ts";
import type { StartTopology } from "./topology.ts";

/** Five independent servers, unless another number is asked for: a lock holds with a majority of them. */
export const startRedlock: StartTopology = (context) => startIndependent(context, context.nodes ?? 5);
