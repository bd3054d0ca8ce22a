import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createManual, manualCapabilities, manualChanges } from "./redlock-5-family.ts";
import { loadRedlock5 } from "./redlock-5-package.ts";

/** redlock 5.0.0-beta.2: acquire, extend and release, called by the holder. */
const redlock5: LockModule = {
  capabilities: manualCapabilities,
  changedDefaults: manualChanges,
  packages: [npmPackages.redlock5],
  createLock(context) {
    const Redlock = loadRedlock5();
    return createManual({ context, name: "redlock-5", make: (clients) => new Redlock(clients) });
  },
};

export default redlock5;
