/** An expiry that was concluded from the time is told within this, ns. */
const OWED_NS = 1e9;
/** A key whose expiry is told begins within this of it, where its command is seen later than that, ns. */
const STRAY_NS = 250e6;

/**
 * Which keyspace event tells of which expiry. One that no earlier hold accounts for belongs to a command that is seen later:
 * a server that is stopped in the middle of one tells of it when it goes on, with the time of then.
 */
export class ToldExpiries {
  /** When an expiry was concluded that no event has told of yet, ns, by key. */
  private readonly owed = new Map<string, number>();
  /** When the expiry of a key was told that is not known to have stood, ns. */
  private readonly strays = new Map<string, number>();

  /** A hold is over, by its time or by a poll; the event that says so may follow. */
  conclude(slot: string, atNs: number): void {
    this.owed.set(slot, atNs);
  }

  /** Is this the word of an expiry that was concluded before? It is asked of each event once. */
  accountsFor(slot: string, atNs: number): boolean {
    return takenWithin(this.owed, slot, atNs, OWED_NS);
  }

  /** An expiry was told of a key that is not known to stand. */
  stray(slot: string, atNs: number): void {
    this.strays.set(slot, atNs);
  }

  /** May a hold that begins now be the one whose expiry was told already? It is asked of each hold once. */
  mayBeOf(slot: string, atNs: number): boolean {
    return takenWithin(this.strays, slot, atNs, STRAY_NS);
  }
}

/** Takes the time of the slot out of the map: was there one, and not longer ago than the limit? */
function takenWithin(timesNs: Map<string, number>, slot: string, atNs: number, limitNs: number): boolean {
  const thenNs = timesNs.get(slot);
  timesNs.delete(slot);
  return thenNs !== undefined && atNs - thenNs < limitNs;
}
