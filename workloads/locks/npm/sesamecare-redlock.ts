import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createManual, manualCapabilities, manualChanges } from "./redlock-5-family.ts";
import { makeSesamecareRedlock } from "./sesamecare-redlock-package.ts";

/** @sesamecare-oss/redlock 1.4.0, a fork of redlock 5: acquire, extend and release, called by the holder. */
const sesamecareRedlock: LockModule = {
  capabilities: manualCapabilities,
  changedDefaults: manualChanges,
  packages: [npmPackages.sesamecareRedlock],
  createLock: (context) => createManual({ context, name: "sesamecare-redlock", make: makeSesamecareRedlock(context) }),
};

export default sesamecareRedlock;
