/** Who holds which key. A holder is whatever the caller tells holders apart by, such as a connection. */
export interface KeyHolders<Holder> {
  /** Gives the token, or undefined while another, or the same once more, holds the key. */
  acquire(key: string, holder: Holder): number | undefined;
  /** False: the token does not hold the key. */
  release(key: string, token: number): boolean;
  /** Frees everything that it holds. */
  leave(holder: Holder): void;
}

export function createKeyHolders<Holder>(): KeyHolders<Holder> {
  const held = new Map<string, { token: number; holder: Holder }>();
  let lastToken = 0;
  return {
    acquire(key, holder) {
      if (held.has(key)) return undefined;
      lastToken += 1;
      held.set(key, { token: lastToken, holder });
      return lastToken;
    },
    release(key, token) {
      return held.get(key)?.token === token && held.delete(key);
    },
    leave(holder) {
      for (const [key, hold] of held) if (hold.holder === holder) held.delete(key);
    },
  };
}
