import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { NodeAddress } from "../../redis/redis-url.ts";

/** A connection that watches a server with MONITOR, and comes back after every loss. */
export interface MonitorConnection {
  /** Resolves when the server watches for the first time; rejects when it refuses to. */
  readonly watching: Promise<void>;
  /** Monotonic ns since when nothing is seen; undefined while the server is watched. */
  blindSinceNs(): bigint | undefined;
  close(): void;
}

export interface MonitorOptions {
  address: NodeAddress;
  /** A line without its end, and when the piece of it that came last was received, monotonic ns. */
  onLine(line: string, atNs: bigint): void;
  /** The server is watched again, after nothing was seen since then. */
  onGap(sinceNs: bigint, untilNs: bigint): void;
}

const RETRY_MS = 10;

export function watchServer({ address, onLine, onGap }: MonitorOptions): MonitorConnection {
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let blindSinceNs: bigint | undefined = process.hrtime.bigint();
  let everWatched = false;
  let settle: { resolve(): void; reject(error: Error): void };
  const watching = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  watching.catch(() => {});

  function open(): void {
    let rest = "";
    let lastError = "the connection was closed";
    const current = connectTo(address);
    socket = current;
    current.setNoDelay(true);
    current.setEncoding("latin1");
    current.on("error", (error) => {
      lastError = error.message;
    });
    current.once("close", () => {
      if (closed) return;
      blindSinceNs ??= process.hrtime.bigint();
      if (!everWatched) settle.reject(new Error(`MONITOR was not possible: ${lastError}`));
      else timer = setTimeout(open, RETRY_MS);
    });
    let awaited = 0;
    for (const words of greeting(address)) {
      awaited += 1;
      current.write(command(words));
    }
    current.on("data", (chunk: string) => {
      const atNs = process.hrtime.bigint();
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (awaited === 0) onLine(line, atNs);
        else if (line.startsWith("-")) {
          lastError = line.slice(1);
          current.destroy();
          return;
        } else {
          awaited -= 1;
          if (awaited === 0) watched(atNs);
        }
      }
    });
  }

  function watched(atNs: bigint): void {
    if (everWatched && blindSinceNs !== undefined) onGap(blindSinceNs, atNs);
    blindSinceNs = undefined;
    everWatched = true;
    settle.resolve();
  }

  open();
  return {
    watching,
    blindSinceNs: () => blindSinceNs,
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.destroy();
    },
  };
}

function connectTo({ host, port, path, tls }: NodeAddress): Socket {
  if (path !== undefined) return connectTcp({ path });
  return tls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
}

/** Every one of these has one reply; after the last come the lines. */
function greeting({ username, password }: NodeAddress): string[][] {
  const login = password === undefined ? [] : [["AUTH", ...(username === undefined ? [] : [username]), password]];
  return [...login, ["MONITOR"]];
}

function command(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join("")}`;
}
