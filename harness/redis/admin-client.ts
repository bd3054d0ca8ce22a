import { Redis, type RedisOptions } from "ioredis";

/**
 * A client for looking after a server, past every proxy: it reconnects for as long as it is not closed, gives up a
 * command after some 1.5 s without a connection or 10 s without an answer, and never makes noise of its own.
 */
export function adminClient(options: Omit<RedisOptions, "replyMapping">): Redis {
  const client = new Redis({
    connectTimeout: 5_000,
    // How long it waits for the other side to close: a stopped server never does.
    disconnectTimeout: 100,
    commandTimeout: 10_000,
    maxRetriesPerRequest: 20,
    // Looks again soon at a server that is loading, whatever that one says of the time it will take.
    maxLoadingRetryTime: 50,
    retryStrategy: (times) => Math.min(10 * times, 100),
    ...options,
  });
  // Without a listener, ioredis writes every failed attempt to connect to standard error.
  client.on("error", () => {});
  return client;
}

/** Does it answer within the time? */
export async function answers(client: Redis, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const pong = client.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([pong, late]).finally(() => clearTimeout(timer));
}
