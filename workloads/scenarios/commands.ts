/**
 * Commands of locks, as the proxy sees them. Whatever a client sends first for a key is its acquire; what follows a grant is
 * a renewal or the release.
 */
export const ACQUIRE = "SET|SETNX|EVAL";
export const RENEW = "EVAL|PEXPIRE|SET";
export const DELETE = "DEL|UNLINK|EVAL";
