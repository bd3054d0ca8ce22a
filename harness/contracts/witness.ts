/**
 * The witness: a Redis server outside every fault, reached without the proxy. Its log is the truth about which effects
 * happened. An effect carries the execution it belongs to and is counted once, however often a client sends it again.
 */
export interface Witness {
  /** Records an effect of this execution: an e-mail sent, a webhook called. */
  record(effect: string): Promise<EffectOutcome>;
  /** Reads a shared document; `version` counts its writes. */
  read(document: string): Promise<{ value: number; version: number }>;
  /** Writes a shared document without looking at its version, as careless code does. */
  write(document: string, value: number): Promise<EffectOutcome>;
  /**
   * Writes with a fencing token: refused when a higher one was seen for this document, accepted when it is equal.
   * With enforcement off every write is accepted, and those that would have been refused are marked in the log.
   */
  writeFenced(document: string, value: number, fencingToken: number): Promise<EffectOutcome>;
}

export interface EffectOutcome {
  /** False: this execution's effect was in the log already; `accepted` is then what it was the first time. */
  first: boolean;
  /** False: refused by its fencing token. */
  accepted: boolean;
}
