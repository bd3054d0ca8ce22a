import type { Direction, Link, LinkFault } from "./network-fault.ts";

/** Lets so many bytes of a direction pass, then does something in place of the rest. */
export function afterBytes(link: Link, direction: Direction, limit: number, action: () => void): LinkFault {
  let left = limit;
  if (limit === 0) link.after(direction, action);
  return {
    shape: {
      [direction]: (bytes: Buffer, dueMs: number, pass: (bytes: Buffer, dueMs: number) => void) => {
        if (left <= 0) return;
        pass(bytes.subarray(0, left), dueMs);
        left -= bytes.length;
        if (left <= 0) link.after(direction, action);
      },
    },
  };
}
