import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createUsing, usingCapabilities, usingChanges } from "./redlock-5-family.ts";
import { makeSesamecareRedlock } from "./sesamecare-redlock-package.ts";

/**
 * @sesamecare-oss/redlock 1.4.0, `using()`. Unlike redlock 5 it hands the settings of a hold on to its extensions: with one
 * attempt for the acquire, an extension has one attempt too, and is tried again while the lease lasts.
 */
const sesamecareRedlockUsing: LockModule = {
  capabilities: usingCapabilities,
  changedDefaults: usingChanges,
  packages: [npmPackages.sesamecareRedlock],
  createLock: (context) =>
    createUsing({ context, name: "sesamecare-redlock-using", make: makeSesamecareRedlock(context) }),
};

export default sesamecareRedlockUsing;
