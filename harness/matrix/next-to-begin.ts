/** Something that waits for its turn. */
export interface Waiting<Item> {
  item: Item;
  /** How many began before it that had come after it. */
  overtaken: number;
}

/** So often may one that does not fit be overtaken; then nothing begins before it. */
const MOST_OVERTAKEN = 12;

/**
 * Takes the next item that may begin from its queue: the first that fits into the room, those of earlier queues before
 * those of later ones. One that was overtaken too often is waited for: what is heavy would begin last of all otherwise,
 * and most of a machine would be idle then.
 */
export function nextToBegin<Item>(
  queues: readonly Waiting<Item>[][],
  room: number,
  weightOf: (item: Item) => number,
): Item | undefined {
  const passed: Waiting<Item>[] = [];
  for (const queue of queues) {
    for (const [position, waiting] of queue.entries()) {
      if (weightOf(waiting.item) <= room) {
        queue.splice(position, 1);
        for (const each of passed) each.overtaken += 1;
        return waiting.item;
      }
      if (waiting.overtaken >= MOST_OVERTAKEN) return undefined;
      passed.push(waiting);
    }
  }
  return undefined;
}
