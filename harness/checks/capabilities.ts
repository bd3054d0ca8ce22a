import type { LockCapabilities } from "../contracts/lock-adapter.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";

export type KnownCapabilities = Pick<LockCapabilities, "renewal" | "nodes" | "budgetMs"> &
  Required<Pick<LockCapabilities, "lease" | "decides">>;

/** What the lock of this arm can do: its workers say so when they are ready. Silence means the plainest lock. */
export const capabilitiesOf = remember(({ incarnations }: RoundIndex): KnownCapabilities => {
  for (const { ready } of incarnations.values()) {
    const said = ready?.detail?.capabilities;
    if (typeof said !== "object" || said === null) continue;
    const { renewal, lease, nodes, budgetMs, decides } = said as Record<string, unknown>;
    return {
      renewal: renewal === "auto" || renewal === "manual" ? renewal : "none",
      lease: lease === "connection" ? "connection" : "ttl",
      nodes: typeof nodes === "number" ? nodes : 1,
      decides: decides !== false,
      ...(typeof budgetMs === "number" ? { budgetMs } : {}),
    };
  }
  return { renewal: "none", lease: "ttl", nodes: 1, decides: true };
});
