import type { Replica } from "../../contracts/crdt-adapter.ts";
import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import { take } from "./laws.ts";
import type { LawFinding, LawOracle } from "./oracle.ts";

export const notIdempotent: LawOracle = {
  name: "NOT-IDEMPOTENT",
  title: "a message that is taken twice changes something",
  tier: "deep",
  kind: "law",
  summary: "A message changes something when it is taken the second time, or a replica when it takes its own state",
  judge(lab) {
    for (const region of lab.regions()) {
      const finding = again(
        lab.copy(region),
        lab.full(lab.original(region)),
        `${lab.ids[region]}, given its own state,`,
      );
      if (finding !== undefined) return { region, ...finding };
    }
    if (!lab.survivesDuplicates) return undefined;
    for (const [from, to] of lab.pairs()) {
      if (!lab.isSettled(from) || !lab.isSettled(to)) continue;
      for (const encoding of lab.encodings) {
        const message = lab.message(encoding, from, to);
        const copy = lab.fed(to, message);
        if (copy === undefined) continue;
        const way = `${lab.ids[to]}, given the same ${encoding} of ${lab.ids[from]} again,`;
        const finding = again(copy, message, way);
        if (finding !== undefined) return { region: to, ...finding };
      }
    }
    return undefined;
  },
};

function again(replica: Replica, message: unknown, way: string): Omit<LawFinding, "region"> | undefined {
  const value = replica.value();
  const state = replica.state?.();
  if (!take(replica, message)) return undefined;
  const [newValue, newState] = [replica.value(), replica.state?.()];
  if (value !== newValue && !same(value, newValue)) {
    return { expected: `${way} still shows ${show(value)}`, actual: show(newValue) };
  }
  if (state !== newState && !same(state, newState)) {
    return { expected: `${way} keeps the state ${show(state)}`, actual: show(newState) };
  }
  return undefined;
}
