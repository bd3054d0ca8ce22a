/**
 * The model of one key: free, or held by one hold. Times are ns; `Infinity` where an operation never returned.
 *
 * - `acquire` that was granted: legal iff free; the key is then held by `hold`.
 * - `release`, `extend` that succeeded: legal iff held by `hold`; a release frees the key.
 * - `not-owner`: a release or extension that was told so: legal iff not held by `hold`.
 * - `refused`: legal iff held by anyone.
 * - `expire`: legal iff held by `hold`; frees the key. May happen at any time from its call on, or never.
 */
export interface ModelOperation<Source = unknown> {
  kind: "acquire" | "release" | "extend" | "not-owner" | "refused" | "expire";
  /** Which hold it is about. `refused` has none. */
  hold: number;
  calledNs: number;
  returnedNs: number;
  /** True: it may take effect once, at any time from its call on, or never. */
  optional?: boolean;
  source?: Source;
}

/** The state of a key: the hold that has it, or FREE. */
export const FREE = -1;

/** The state after an operation that is legal in `state`; undefined if it is not legal. */
export function apply(state: number, { kind, hold }: ModelOperation): number | undefined {
  switch (kind) {
    case "acquire":
      return state === FREE ? hold : undefined;
    case "release":
    case "expire":
      return state === hold ? FREE : undefined;
    case "extend":
      return state === hold ? state : undefined;
    case "not-owner":
      return state === hold ? undefined : state;
    case "refused":
      return state === FREE ? undefined : state;
  }
}

/** Does it leave the state as it is, wherever it is legal? */
export function onlyReads({ kind }: ModelOperation): boolean {
  return kind === "extend" || kind === "not-owner" || kind === "refused";
}
