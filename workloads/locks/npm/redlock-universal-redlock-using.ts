import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createUniversalUsing, universalCapabilities, universalChanges } from "./redlock-universal-family.ts";

/** redlock-universal 0.8.5, `using()` on independent nodes: renewed by the library. */
const redlockUniversalRedlockUsing: LockModule = {
  capabilities: universalCapabilities({ quorum: true, using: true }),
  changedDefaults: universalChanges,
  packages: [npmPackages.redlockUniversal],
  createLock: (context) => createUniversalUsing(context, "redlock-universal-redlock-using", { quorum: true }),
};

export default redlockUniversalRedlockUsing;
