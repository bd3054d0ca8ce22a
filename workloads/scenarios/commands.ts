/**
 * Commands of locks, as the proxy sees them. Whatever a client sends first for a key is its acquire; what follows a grant is
 * a renewal or the release.
 */
export const ACQUIRE = "SET|SETNX|EVAL";
export const RENEW = "EVAL|PEXPIRE|SET";
/** What mints a fencing token, by itself or within the script that takes the lock. */
export const MINT = "INCR|HINCRBY|EVAL";
export const DELETE = "DEL|UNLINK|EVAL";
