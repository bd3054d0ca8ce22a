/** Which items of lists were ever shown before which: two of them never change places. */
export class ListOrder {
  private words = 1;
  /** By operation: the operations that were seen to stand before it. */
  private readonly before: Int32Array;

  constructor(maxOperations: number) {
    const words = Math.max(1, Math.ceil(maxOperations / 32));
    this.before = new Int32Array(words * 32 * words);
  }

  begin(words: number, operations: number): void {
    this.words = words;
    this.before.fill(0, 0, operations * words);
  }

  /** Notes an order of inserts. False when it contradicts one noted before. */
  note(inserts: readonly number[]): boolean {
    const { words, before } = this;
    for (let later = 1; later < inserts.length; later++) {
      const item = inserts[later]!;
      for (let earlier = 0; earlier < later; earlier++) {
        const other = inserts[earlier]!;
        if ((before[other * words + (item >>> 5)]! & (1 << (item & 31))) !== 0) return false;
        before[item * words + (other >>> 5)]! |= 1 << (other & 31);
      }
    }
    return true;
  }
}
