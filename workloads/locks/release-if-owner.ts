import type { ReleaseOutcome } from "../../harness/contracts/lock-adapter.ts";
import { updateError } from "./outcomes.ts";
import type { WithScripts } from "./single-node.ts";

/** Releases a key by the script that deletes it for its owner only, which the client has as `releaseIfOwner`. */
export async function releaseIfOwner(
  client: WithScripts<"releaseIfOwner">,
  physicalKey: string,
  token: string,
): Promise<ReleaseOutcome> {
  try {
    const deleted = await client.releaseIfOwner(physicalKey, token);
    return { outcome: deleted === 1 ? "released" : "not-owner" };
  } catch (error) {
    return updateError(error);
  }
}
