/**
 * What one node of a quorum lock said: `yes`, `no`, an error of its own, nothing within its limit (`silent`), or nothing
 * when the others had settled it (`pending`).
 */
export type Vote = { node: number } & (
  | { vote: "yes" | "no" | "pending" }
  | { vote: "error" | "silent"; error: unknown }
);

/** How many of n nodes are a majority. */
export const majorityOf = (nodes: number): number => Math.floor(nodes / 2) + 1;

/**
 * What the votes come to. `yes`: a majority agreed. `no`: a majority said no, or so many did or could not that the rest
 * is none. `open`: so many said nothing that a majority may have agreed.
 */
export function outcomeOf(votes: readonly Vote[]): "yes" | "no" | "open" {
  const majority = majorityOf(votes.length);
  const count = (wanted: Vote["vote"]) => votes.filter(({ vote }) => vote === wanted).length;
  if (count("yes") >= majority) return "yes";
  return count("yes") + count("silent") + count("pending") >= majority ? "open" : "no";
}

/**
 * Gathers votes until a majority agreed, or until none can any more.
 * @returns one vote per node, in the order of the nodes
 */
export function gatherVotes(pending: readonly Promise<Vote>[]): Promise<Vote[]> {
  const votes: Vote[] = pending.map((_, index) => ({ node: index + 1, vote: "pending" }));
  const majority = majorityOf(pending.length);
  let yes = 0;
  let answered = 0;
  return new Promise((resolve) => {
    for (const [index, promise] of pending.entries()) {
      void promise.then((vote) => {
        votes[index] = vote;
        answered += 1;
        if (vote.vote === "yes") yes += 1;
        const decided = yes >= majority || yes + (pending.length - answered) < majority;
        if (decided || answered === pending.length) resolve([...votes]);
      });
    }
  });
}
