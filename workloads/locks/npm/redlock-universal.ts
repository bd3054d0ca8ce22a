import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createUniversal, universalCapabilities, universalChanges } from "./redlock-universal-family.ts";

/** redlock-universal 0.8.5, `createLock`: one server, with the library's circuit breaker. */
const redlockUniversal: LockModule = {
  capabilities: universalCapabilities({ quorum: false, using: false }),
  changedDefaults: universalChanges,
  packages: [npmPackages.redlockUniversal],
  createLock: (context) => createUniversal(context, "redlock-universal", { quorum: false }),
};

export default redlockUniversal;
