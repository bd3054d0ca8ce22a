import type { Replica } from "../../contracts/crdt-adapter.ts";
import { difference } from "./laws.ts";
import type { Lab, LawFinding, LawOracle } from "./oracle.ts";

export const deltaFull: LawOracle = {
  name: "DELTA-FULL",
  title: "the same operations end differently by another encoding",
  tier: "deep",
  kind: "law",
  summary:
    "The same operations, given once per encoding to copies of one receiver that holds their causes, end differently",
  judge(lab) {
    for (const [from, to] of lab.pairs()) {
      if (!lab.isSettled(from) || !lab.isSettled(to)) continue;
      const finding = judgePair(lab, from, to);
      if (finding !== undefined) return finding;
    }
    return undefined;
  },
};

function judgePair(lab: Lab, from: number, to: number): LawFinding | undefined {
  const way = (encoding: string) => `${lab.ids[to]}, given what it lacks of ${lab.ids[from]} as ${encoding},`;
  let first: { replica: Replica; encoding: string; message: unknown } | undefined;
  for (const [encoding, message] of messages(lab, from, to)) {
    const replica = lab.copy(to);
    const refusal = replica.receive(message);
    if (refusal !== undefined) {
      return {
        region: to,
        expected: `${way(encoding)} takes it: its causes are there`,
        actual: `refused with ${refusal}`,
      };
    }
    if (first === undefined) first = { replica, encoding, message };
    else {
      const finding = difference(first.replica, replica, { right: way(first.encoding), wrong: way(encoding) });
      if (finding !== undefined) return { region: to, ...finding };
      lab.keep(to, replica, message);
    }
  }
  if (first !== undefined) lab.keep(to, first.replica, first.message);
  return undefined;
}

function* messages(lab: Lab, from: number, to: number): Iterable<readonly [string, unknown]> {
  for (const encoding of lab.encodings) {
    const message = lab.message(encoding, from, to);
    if (message === undefined) continue;
    yield [encoding, message];
    const decoded = lab.throughCodec(message);
    if (decoded !== undefined) yield [`${encoding} through the codec`, decoded];
  }
}
