import type { TopologyName } from "../contracts/topology.ts";

export interface TopologyShape {
  name: Exclude<TopologyName, "external">;
  summary: string;
  /** Redis servers that locks or their replicas live on: `node:1`, `node:2`, ... */
  nodes: number;
  sentinels: number;
  /** How many of the nodes a client is given: the independent nodes of a quorum, or the one that answers. */
  clientNodes: number;
}

/** The topologies that a run can start by itself. */
export const topologies: readonly TopologyShape[] = [
  { name: "single", summary: "One Redis server", nodes: 1, sentinels: 0, clientNodes: 1 },
  { name: "replicated", summary: "A primary (node:1) and a replica", nodes: 2, sentinels: 0, clientNodes: 1 },
  { name: "sentinel", summary: "A primary, two replicas and three sentinels", nodes: 3, sentinels: 3, clientNodes: 1 },
  { name: "redlock", summary: "Five independent servers", nodes: 5, sentinels: 0, clientNodes: 5 },
];

/** Their names, as options show them. */
export const topologyNames = ["single", "replicated", "sentinel", "redlock"] as const;

export const topologyNamed = (name: string): TopologyShape | undefined =>
  topologies.find((topology) => topology.name === name);
