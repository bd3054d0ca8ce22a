import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the range that systems give to outgoing connections (Linux from 32768, others from 49152): a port in that range
 * may be taken while its server is being restarted, and a client that tries again and again to reach a dead server
 * there ends up connected to itself.
 */
const LOWEST = 20_000;
const HIGHEST = 31_999;
const MOST_TRIES = 200;

const givenOut = new Set<number>();

/**
 * A port that nobody listens on, not given out before by this process. Another process may still be faster: whoever
 * binds it must be ready to ask again.
 */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (givenOut.has(port)) continue;
    givenOut.add(port);
    if (await isFree(host, port)) return port;
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST}.`);
}

function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
