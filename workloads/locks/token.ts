import { randomFillSync } from "node:crypto";

const TOKEN_BYTES = 16;
/** Random bytes drawn ahead: one call of the generator for many tokens. */
const pool = Buffer.alloc(TOKEN_BYTES * 256);
let used = pool.length;

/** A token that no other hold has: 128 random bits. */
export function newToken(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += TOKEN_BYTES;
  return pool.toString("hex", used - TOKEN_BYTES, used);
}
