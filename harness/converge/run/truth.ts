/**
 * The ground truth: which operations each replica causally knows. Operations are bits, 32 to a word; the number of words
 * follows the schedule, so that most have one. Everything is kept up incrementally: learning touches only bits that are
 * new. The arrays are made once and used again by every schedule.
 */
export class Truth {
  words = 1;
  count = 0;
  readonly regions: number;
  private readonly maxWords: number;

  /** By operation. */
  readonly region: Int32Array;
  readonly cell: Int32Array;
  /** Deltas of counters. */
  readonly amount: Float64Array;
  /** The clock's stamp at the operation, -1 where there is none. */
  readonly stampL: Float64Array;
  readonly stampC: Float64Array;
  /** Masks by operation: what its region knew before it, and what it takes the effect from. */
  readonly deps: Int32Array;
  readonly dominates: Int32Array;

  /** Masks by cell: writes, adds, inserts, increments; and removes, resets, erasures. */
  readonly effects: Int32Array;
  readonly removals: Int32Array;

  /** Masks by region: known (shown), the union of what the known ones dominate, received (known and pending). */
  readonly known: Int32Array;
  readonly dominated: Int32Array;
  readonly received: Int32Array;
  /** Mask by region: what it may show beyond what it is known to have. Only where values under gaps are partial. */
  readonly possible: Int32Array;
  /** Mask: operations made by a region that could not be judged, so that nobody can say what they saw. */
  readonly unsure: Int32Array;
  /** By region, and by region and field: grows whenever something is learnt. */
  readonly learnt: Int32Array;
  readonly learntOf: Int32Array;
  readonly fields: number;
  private cellFields: Int32Array = new Int32Array(0);
  /** By region and cell: sum of the known deltas. */
  readonly sums: Float64Array;
  /** Cells of the largest pool, and one for operations of an adapter's own. */
  readonly cells: number;

  /** What every schedule begins with at 0, in one piece of memory. */
  private readonly blank: Int32Array;

  /**
   * @param cells of the largest pool, and one for operations of an adapter's own
   * @param fields of the adapter, and one for the same
   */
  constructor(regions: number, maxOperations: number, cells: number, fields: number) {
    const words = Math.max(1, Math.ceil(maxOperations / 32));
    const operations = words * 32;
    this.regions = regions;
    this.maxWords = words;
    this.cells = cells;
    this.fields = fields;
    this.region = new Int32Array(operations);
    this.cell = new Int32Array(operations);
    this.amount = new Float64Array(operations);
    this.stampL = new Float64Array(operations);
    this.stampC = new Float64Array(operations);
    this.deps = new Int32Array(operations * words);
    this.dominates = new Int32Array(operations * words);
    this.sums = new Float64Array(regions * cells);
    const sizes = [
      cells * words,
      cells * words,
      ...new Array(4).fill(regions * words),
      words,
      regions,
      regions * fields,
    ];
    this.blank = new Int32Array(sizes.reduce((sum, size) => sum + size, 0));
    let at = 0;
    const next = (size: number) => {
      at += size;
      return this.blank.subarray(at - size, at);
    };
    this.effects = next(cells * words);
    this.removals = next(cells * words);
    this.known = next(regions * words);
    this.dominated = next(regions * words);
    this.received = next(regions * words);
    this.possible = next(regions * words);
    this.unsure = next(words);
    this.learnt = next(regions);
    this.learntOf = next(regions * fields);
  }

  /**
   * @param operations at most so many will follow
   * @param cellFields by cell of the pool, its field
   */
  begin(operations: number, cellFields: Int32Array): void {
    const words = Math.max(1, (operations + 31) >>> 5);
    if (words > this.maxWords)
      throw new RangeError(`${operations} operations in a truth made for ${this.maxWords * 32}`);
    this.words = words;
    this.count = 0;
    this.cellFields = cellFields;
    this.blank.fill(0);
    this.sums.fill(0);
  }

  /** Notes an operation that `region` accepted, without yet making it known to anybody. Returns its number. */
  add(region: number, cell: number, amount: number): number {
    const { words } = this;
    const operation = this.count++;
    this.region[operation] = region;
    this.cell[operation] = cell;
    this.amount[operation] = amount;
    this.stampL[operation] = -1;
    this.stampC[operation] = 0;
    for (let word = 0; word < words; word++) {
      this.deps[operation * words + word] = this.known[region * words + word]!;
      this.dominates[operation * words + word] = 0;
    }
    return operation;
  }

  /** The operation counts among those of its cell that have an effect until they are dominated. */
  hasEffect(operation: number, cell: number): void {
    this.effects[cell * this.words + (operation >>> 5)]! |= 1 << (operation & 31);
  }

  /** The operation counts among the removals of its cell. */
  removes(operation: number, cell: number): void {
    this.removals[cell * this.words + (operation >>> 5)]! |= 1 << (operation & 31);
  }

  /** The operation dominates what it saw among the masks at `masks[cell]`. */
  dominatesSeen(operation: number, masks: Int32Array, cell: number): void {
    const { words } = this;
    for (let word = 0; word < words; word++) {
      this.dominates[operation * words + word]! |= this.deps[operation * words + word]! & masks[cell * words + word]!;
    }
  }

  learnOne(region: number, operation: number): void {
    const word = operation >>> 5;
    const bit = 1 << (operation & 31);
    this.received[region * this.words + word]! |= bit;
    this.learnWord(region, word, bit);
  }

  /** The region now knows what the mask at `masks[offset]` holds. */
  learn(region: number, masks: Int32Array, offset: number): void {
    const { words } = this;
    for (let word = 0; word < words; word++) {
      const mask = masks[offset + word]!;
      this.received[region * words + word]! |= mask;
      const fresh = mask & ~this.known[region * words + word]!;
      if (fresh !== 0) this.learnWord(region, word, fresh);
    }
  }

  /** As `learn`, but what lacks causes waits until they are there. */
  learnBuffered(region: number, masks: Int32Array, offset: number): void {
    const { words } = this;
    for (let word = 0; word < words; word++) this.received[region * words + word]! |= masks[offset + word]!;
    this.release(region);
  }

  private release(region: number): void {
    const { words, known, received } = this;
    for (let again = true; again; ) {
      again = false;
      for (let word = 0; word < words; word++) {
        let waiting = received[region * words + word]! & ~known[region * words + word]!;
        while (waiting !== 0) {
          const bit = waiting & -waiting;
          waiting ^= bit;
          const operation = word * 32 + 31 - Math.clz32(bit);
          if (!this.covers(region, this.deps, operation * words)) continue;
          this.learnWord(region, word, bit);
          again = true;
        }
      }
    }
  }

  private learnWord(region: number, word: number, fresh: number): void {
    const { words, dominated } = this;
    this.learnt[region]!++;
    this.known[region * words + word]! |= fresh;
    let left = fresh;
    while (left !== 0) {
      const bit = left & -left;
      left ^= bit;
      const operation = word * 32 + 31 - Math.clz32(bit);
      const cell = this.cell[operation]!;
      this.sums[region * this.cells + cell]! += this.amount[operation]!;
      this.learntOf[region * this.fields + this.cellFields[cell]!]!++;
      for (let other = 0; other < words; other++) {
        dominated[region * words + other]! |= this.dominates[operation * words + other]!;
      }
    }
  }

  /** Whether the region knows all of the mask at `masks[offset]`. */
  covers(region: number, masks: Int32Array, offset: number): boolean {
    const { words, known } = this;
    for (let word = 0; word < words; word++) {
      if ((masks[offset + word]! & ~known[region * words + word]!) !== 0) return false;
    }
    return true;
  }

  /** Whether the region knows the causes of everything that it knows. */
  isClosed(region: number): boolean {
    const { words, known } = this;
    for (let word = 0; word < words; word++) {
      let left = known[region * words + word]!;
      while (left !== 0) {
        const bit = left & -left;
        left ^= bit;
        if (!this.covers(region, this.deps, (word * 32 + 31 - Math.clz32(bit)) * words)) return false;
      }
    }
    return true;
  }

  /** Whether all regions know the same operations. */
  isKnownAlike(): boolean {
    const { words, known, regions } = this;
    for (let at = words; at < regions * words; at++) if (known[at] !== known[at - words]) return false;
    return true;
  }

  knows(region: number, operation: number): boolean {
    return (this.known[region * this.words + (operation >>> 5)]! & (1 << (operation & 31))) !== 0;
  }

  isDominated(region: number, operation: number): boolean {
    return (this.dominated[region * this.words + (operation >>> 5)]! & (1 << (operation & 31))) !== 0;
  }

  /** Whether operation `later` saw operation `earlier`. */
  saw(later: number, earlier: number): boolean {
    return (this.deps[later * this.words + (earlier >>> 5)]! & (1 << (earlier & 31))) !== 0;
  }

  /** Sum of all known deltas of a counter. */
  sum(region: number, cell: number): number {
    return this.sums[region * this.cells + cell]!;
  }

  /** Sum of the known deltas of a counter that can be reset: those that no known reset saw. */
  sumOf(region: number, cell: number): number {
    const { words } = this;
    let sum = 0;
    for (let word = 0; word < words; word++) {
      let left = this.liveWord(region, cell, word);
      while (left !== 0) {
        const bit = left & -left;
        left ^= bit;
        sum += this.amount[word * 32 + 31 - Math.clz32(bit)]!;
      }
    }
    return sum;
  }

  /** One word of the effects of a cell that the region knows and knows nothing against. */
  liveWord(region: number, cell: number, word: number): number {
    const { words } = this;
    const at = region * words + word;
    return this.effects[cell * words + word]! & this.known[at]! & ~this.dominated[at]!;
  }

  /** One word of the removals of a cell that the region knows and that no known operation overruled. */
  liveRemovalWord(region: number, cell: number, word: number): number {
    const { words } = this;
    const at = region * words + word;
    return this.removals[cell * words + word]! & this.known[at]! & ~this.dominated[at]!;
  }

  /** The region has lost everything. */
  forget(region: number): void {
    const { words } = this;
    this.learnt[region]!++;
    for (let field = 0; field < this.fields; field++) this.learntOf[region * this.fields + field]!++;
    for (const masks of [this.known, this.received, this.dominated, this.possible]) {
      masks.fill(0, region * words, (region + 1) * words);
    }
    this.sums.fill(0, region * this.cells, (region + 1) * this.cells);
  }

  /** What waited for its causes is lost. Returns whether anything was. */
  forgetPending(region: number): boolean {
    const { words } = this;
    let lost = false;
    for (let word = 0; word < words; word++) {
      const at = region * words + word;
      if (this.received[at] !== this.known[at]) lost = true;
      this.received[at] = this.known[at]!;
    }
    return lost;
  }

  /**
   * The region keeps for sure only operations whose causes it has as well; it may show the others. Returns whether there
   * were any.
   */
  keepOnlyClosed(region: number): boolean {
    const { words } = this;
    if (this.isClosed(region)) return false;
    const kept = this.closedPart(region);
    const before = this.known.slice(region * words, (region + 1) * words);
    this.forget(region);
    this.learn(region, kept, 0);
    for (let word = 0; word < words; word++) this.possible[region * words + word] = before[word]!;
    return true;
  }

  /** The greatest part of what the region knows that holds its own causes. */
  closedPart(region: number): Int32Array {
    const { words } = this;
    const kept = this.known.slice(region * words, (region + 1) * words);
    for (let again = true; again; ) {
      again = false;
      for (let operation = 0; operation < this.count; operation++) {
        const word = operation >>> 5;
        const bit = 1 << (operation & 31);
        if ((kept[word]! & bit) === 0 || this.covered(kept, operation)) continue;
        kept[word]! &= ~bit;
        again = true;
      }
    }
    return kept;
  }

  private covered(mask: Int32Array, operation: number): boolean {
    const { words } = this;
    for (let word = 0; word < words; word++) {
      if ((this.deps[operation * words + word]! & ~mask[word]!) !== 0) return false;
    }
    return true;
  }

  /** Whether the region shows exactly what it knows, where values under gaps are partial. */
  isCertain(region: number): boolean {
    return this.covers(region, this.possible, region * this.words) && this.isClosed(region);
  }

  /** Whether a known operation on the cell was made in the dark. */
  isUnsure(region: number, cell: number): boolean {
    const { words } = this;
    for (let word = 0; word < words; word++) {
      const known = this.known[region * words + word]! & this.unsure[word]!;
      if ((known & (this.effects[cell * words + word]! | this.removals[cell * words + word]!)) !== 0) return true;
    }
    return false;
  }
}
