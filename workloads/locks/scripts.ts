/** Deletes the key only if its value is the caller's token. Source: redis.io, "Distributed Locks with Redis". */
export const RELEASE_IF_OWNER = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`;

/** Renews the key only if its value is the caller's token. ARGV: token, TTL in ms. */
export const EXTEND_IF_OWNER = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`;
