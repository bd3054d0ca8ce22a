/** The witness's keys. It holds nothing else, and is emptied before each round. */
export const witnessKeys = {
  /** Stream: one entry per effect, in the order in which they reached the witness. */
  log: "witness:log",
  /** Set: the jobs with at least one effect. */
  jobs: "witness:jobs",
  /** Hash: the effects that are in the log already, each with what became of it. */
  seen: "witness:seen",
  /** Hash of a shared document: value, version, highest fencing token. */
  document: (name: string) => `witness:document:${name}`,
} as const;
