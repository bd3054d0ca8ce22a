import type { LockCapabilities, LockModule } from "../../harness/contracts/lock-adapter.ts";

const capabilities: LockCapabilities = {
  ...{ renewal: "none", fencing: "none", nodes: 1, client: "none" },
  decides: false,
};

/** The control: grants at once, asks nobody. */
const none: LockModule = {
  capabilities,
  createLock() {
    let grants = 0;
    return {
      capabilities,
      async acquire() {
        grants += 1;
        return { outcome: "granted", token: `none-${process.pid}-${grants}` };
      },
      async release() {
        return { outcome: "released" };
      },
      redisKeys: () => [],
      async close() {},
    };
  },
};

export default none;
