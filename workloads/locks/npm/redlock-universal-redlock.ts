import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createUniversal, universalCapabilities, universalChanges } from "./redlock-universal-family.ts";

/** redlock-universal 0.8.5, `createRedlock`: independent nodes. */
const redlockUniversalRedlock: LockModule = {
  capabilities: universalCapabilities({ quorum: true, using: false }),
  changedDefaults: universalChanges,
  packages: [npmPackages.redlockUniversal],
  createLock: (context) => createUniversal(context, "redlock-universal-redlock", { quorum: true }),
};

export default redlockUniversalRedlock;
