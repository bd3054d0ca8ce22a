import type { Order } from "./messages.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** What the supervisor must see to at the end: processes, commands that undo something, folders. */
export interface Charges {
  processes: Map<number, ProcessIdentity>;
  /** By their JSON text. */
  commands: Map<string, readonly string[]>;
  folders: Set<string>;
}

export function noCharges(): Charges {
  return { processes: new Map(), commands: new Map(), folders: new Set() };
}

export function follow(charges: Charges, order: Exclude<Order, { type: "close" }>): void {
  switch (order.type) {
    case "own":
      charges.processes.set(order.pid, { pid: order.pid, startTime: order.startTime });
      break;
    case "disown":
      charges.processes.delete(order.pid);
      break;
    case "own-folder":
      charges.folders.add(order.path);
      break;
    case "disown-folder":
      charges.folders.delete(order.path);
      break;
    case "own-command":
      charges.commands.set(JSON.stringify(order.command), order.command);
      break;
    case "disown-command":
      charges.commands.delete(JSON.stringify(order.command));
      break;
  }
}
