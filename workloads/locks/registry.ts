import type { RegistryEntry } from "../../harness/contracts/module-ref.ts";

/** Every lock that ships, in the order in which it is listed. */
export const lockRegistry: readonly RegistryEntry[] = [
  {
    name: "none",
    summary: "The control: no lock, but the worker looks whether its delivery is still the latest",
    module: "locks/none",
  },
  { name: "none-literal", summary: "The control as in the article: no lock and no look", module: "locks/none" },
  {
    name: "set-nx",
    summary: "SET NX PX with a random token; released by a script that checks the token",
    module: "locks/set-nx",
  },
];
