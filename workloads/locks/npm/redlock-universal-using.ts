import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createUniversalUsing, universalCapabilities, universalChanges } from "./redlock-universal-family.ts";

/** redlock-universal 0.8.5, `using()` on one server: renewed by the library. */
const redlockUniversalUsing: LockModule = {
  capabilities: universalCapabilities({ quorum: false, using: true }),
  changedDefaults: universalChanges,
  packages: [npmPackages.redlockUniversal],
  createLock: (context) => createUniversalUsing(context, "redlock-universal-using", { quorum: false }),
};

export default redlockUniversalUsing;
