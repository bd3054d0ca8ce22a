import type { PlannedFault } from "../../contracts/fault.ts";
import type { CommandWatch, FaultNetwork } from "../../faults/fault.ts";

/** Is it seen on the network and not in a worker? Libraries renew their locks by themselves. */
export const awaitsCommand = ({ trigger }: PlannedFault): boolean =>
  trigger.kind === "on" && (trigger.event === "command" || trigger.event === "extend");

/** Waits for the command that a fault waits for. */
export interface CommandTrigger {
  /** Lets go the replies that were held for the fault, and watches no longer. */
  end(): Promise<void>;
}

/**
 * Watches for the nth command that a fault waits for, counted within what it is aimed at: on the connections of a
 * worker, to a node, on a link. The command has been applied when `come` is called, and unless the fault comes some time
 * later, its client does not learn of it before the watch ends, that is, before the fault is in force.
 */
export async function watchForCommand(
  network: FaultNetwork | undefined,
  fault: PlannedFault,
  come: () => void,
): Promise<CommandTrigger> {
  const { trigger } = fault;
  if (trigger.kind !== "on") throw new Error(`${fault.name} waits for no command`);
  if (!network?.onCommand) throw new Error("waiting for a command takes the harness's own proxy");
  const { event, command, keyPattern, nth, afterMs } = trigger;
  // Told to end, a worker is to end its jobs first, for which it needs its replies.
  const holds = afterMs === 0 && fault.name !== "worker-terminate";
  const watched = {
    ...{ nth, holds, extension: event === "extend" },
    ...(command === undefined ? {} : { command }),
    ...(keyPattern === undefined ? {} : { key: keyPattern }),
  };
  const ends = await Promise.all(
    countedApart(fault.targets).map((targets, index) => {
      const watch: CommandWatch = { ...watched, targets };
      return network.onCommand?.(`${fault.id}-watch${index + 1}`, watch, come);
    }),
  );
  return {
    async end() {
      await Promise.all(ends.map((end) => end?.()));
    },
  };
}

/** The links of each count: workers count each for itself, all else together. */
function countedApart(targets: readonly string[]): string[][] {
  if (targets.every((target) => target.startsWith("worker:"))) return targets.map((target) => [target]);
  // Between servers no commands pass, and a queue or the run as a whole is no link.
  const links = targets.filter(
    (target) => /^(client|worker|node):\d+(-node:\d+)?$/.test(target) && !/^node:\d+-/.test(target),
  );
  return [links];
}
