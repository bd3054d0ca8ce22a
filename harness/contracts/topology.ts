/** How the Redis servers of a run stand to one another; `external`: servers that the run does not own. */
export type TopologyName = "single" | "replicated" | "sentinel" | "redlock" | "external";
