import type { LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { npmPackages } from "./packages.ts";
import { createUsing, usingCapabilities, usingChanges } from "./redlock-5-family.ts";
import { loadRedlock5 } from "./redlock-5-package.ts";

/** redlock 5.0.0-beta.2, `using()`: renewed by the library, which aborts its signal when that fails. */
const redlock5Using: LockModule = {
  capabilities: usingCapabilities,
  changedDefaults: usingChanges,
  packages: [npmPackages.redlock5],
  createLock(context) {
    const Redlock = loadRedlock5();
    return createUsing({ context, name: "redlock-5-using", make: (clients) => new Redlock(clients) });
  },
};

export default redlock5Using;
