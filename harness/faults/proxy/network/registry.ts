import type { NetworkFaultDefinition } from "../network-fault.ts";
import { bandwidth } from "./bandwidth.ts";
import { delayReply } from "./delay-reply.ts";
import { delayRequest } from "./delay-request.ts";
import { duplicate } from "./duplicate.ts";
import { errorReply } from "./error-reply.ts";
import { latency } from "./latency.ts";
import { limitData } from "./limit-data.ts";
import { loseReply } from "./lose-reply.ts";
import { loseRequest } from "./lose-request.ts";
import { blackHole, partition } from "./partition.ts";
import { pauseBetween } from "./pause-between.ts";
import { refuse } from "./refuse.ts";
import { reset } from "./reset.ts";
import { resetAfterApply } from "./reset-after-apply.ts";
import { slicer } from "./slicer.ts";
import { slowClose } from "./slow-close.ts";
import { timeout } from "./timeout.ts";
import { watch } from "./watch.ts";

/** Every fault of the network, in the order in which they are listed. */
export const networkFaults: readonly NetworkFaultDefinition[] = [
  latency,
  bandwidth,
  slicer,
  partition,
  blackHole,
  reset,
  resetAfterApply,
  refuse,
  slowClose,
  limitData,
  delayReply,
  delayRequest,
  loseReply,
  loseRequest,
  errorReply,
  duplicate,
  pauseBetween,
];

/** Known to the proxy, and no faults of a plan. */
const others = [watch, timeout];

/** What the proxy can do under this name or alias. */
export function networkFaultNamed(name: string): NetworkFaultDefinition | undefined {
  return [...networkFaults, ...others].find((fault) => fault.name === name || fault.aliases?.includes(name));
}
