import { expect, test } from "vitest";
import { gatherVotes, majorityOf, outcomeOf, type Vote } from "../../../../workloads/locks/quorum.ts";

const error = new Error("down");
const votes = (...words: Vote["vote"][]): Vote[] =>
  words.map((vote, index) =>
    vote === "error" || vote === "silent" ? { node: index + 1, vote, error } : { node: index + 1, vote },
  );
const never = new Promise<Vote>(() => {});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
])("of %i nodes %i are a majority", (nodes, majority) => {
  expect(majorityOf(nodes)).toBe(majority);
});

test.each<[Vote["vote"][], "yes" | "no" | "open"]>([
  [["yes", "yes", "yes", "no", "no"], "yes"],
  [["yes", "yes", "no", "no", "no"], "no"],
  [["yes", "yes", "silent", "no", "no"], "open"],
  [["yes", "yes", "error", "no", "no"], "no"],
  [["silent", "silent", "silent", "no", "no"], "open"],
  [["silent", "silent", "no", "no", "no"], "no"],
  [["error", "error", "error", "yes", "yes"], "no"],
  [["yes"], "yes"],
  [["silent"], "open"],
  [["no"], "no"],
])("%j come to %s", (words, outcome) => {
  expect(outcomeOf(votes(...words))).toBe(outcome);
});

test("does not wait for nodes that cannot change the majority, and names each node", async () => {
  const [a, b, c] = votes("yes", "yes", "yes") as [Vote, Vote, Vote];
  const gathered = await gatherVotes([Promise.resolve(a), never, Promise.resolve(b), Promise.resolve(c), never]);
  expect(gathered.map(({ vote }) => vote)).toEqual(["yes", "pending", "yes", "yes", "pending"]);
  expect(gathered[1]).toMatchObject({ node: 2 });
});

test("does not wait once no majority can come about", async () => {
  const [a, b, c] = votes("no", "error", "no") as [Vote, Vote, Vote];
  const gathered = await gatherVotes([never, Promise.resolve(a), Promise.resolve(b), Promise.resolve(c), never]);
  expect(outcomeOf(gathered)).toBe("no");
});

test("waits for the last node when it decides", async () => {
  let answer = (_: Vote) => {};
  const last = new Promise<Vote>((resolve) => {
    answer = resolve;
  });
  const pending = gatherVotes([...votes("yes", "yes", "no", "no").map((vote) => Promise.resolve(vote)), last]);
  await Promise.resolve();
  answer({ node: 5, vote: "yes" });
  expect(outcomeOf(await pending)).toBe("yes");
});
