/**
 * Random numbers for schedules: sfc32 (Chris Doty-Humphrey, PractRand), seeded with 53 bits of seed and 53 of index, so
 * that any schedule of a campaign is made without the ones before it. Allocation-free, since it runs per schedule.
 */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  seed(seed: number, index: number): this {
    this.a = seed | 0;
    this.b = index | 0;
    this.c = Math.floor(seed / 2 ** 32) | 0;
    this.counter = Math.floor(index / 2 ** 32) | 0;
    for (let round = 0; round < 12; round++) this.next();
    return this;
  }

  /** 32 random bits, as a signed integer. */
  next(): number {
    const t = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0;
    return t;
  }

  /** An integer, 0 <= n < limit, for small limits. */
  below(limit: number): number {
    return (this.next() >>> 0) % limit;
  }

  /** 0 <= x < 1 with 32 bits. */
  fraction(): number {
    return (this.next() >>> 0) / 2 ** 32;
  }
}
