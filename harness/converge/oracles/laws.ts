import type { Replica } from "../../contracts/crdt-adapter.ts";
import { same } from "../equality/same.ts";
import { show } from "../equality/show.ts";
import type { Finding } from "./oracle.ts";

/** Gives a replica these messages; false when one of them is missing or refused, so that no law can be judged by it. */
export function take(replica: Replica, ...messages: readonly unknown[]): boolean {
  return messages.every((message) => message !== undefined && replica.receive(message) === undefined);
}

/** How two replicas that should be equal are not: by value first, by state where the adapter shows it. */
export function difference(
  right: Replica,
  wrong: Replica,
  ways: { right: string; wrong: string },
): Finding | undefined {
  return (
    differs(ways, "shows", right.value(), wrong.value()) ??
    differs(ways, "has the state", right.state?.(), wrong.state?.())
  );
}

function differs(ways: { right: string; wrong: string }, verb: string, right: unknown, wrong: unknown) {
  if (right === wrong || same(right, wrong)) return undefined;
  return { expected: `${ways.right} ${verb} ${show(right)}`, actual: `${ways.wrong} ${verb} ${show(wrong)}` };
}
