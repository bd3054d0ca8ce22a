import type { TopologyName } from "../../contracts/topology.ts";
import { startRedlock } from "./redlock.ts";
import { startReplicated } from "./replicated.ts";
import { startSentinel } from "./sentinel.ts";
import { startSingle } from "./single.ts";
import type { StartTopology } from "./topology.ts";

/** How each topology is started; `config/topologies` says what they are made of. */
export const startTopology: Readonly<Record<Exclude<TopologyName, "external">, StartTopology>> = {
  single: startSingle,
  replicated: startReplicated,
  sentinel: startSentinel,
  redlock: startRedlock,
};
