import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { MutexReply, MutexRequest } from "../../contracts/mutex-server.ts";
import { createKeyHolders } from "./key-holders.ts";

/** The mutex server of a run. */
export interface MutexServer {
  /** `127.0.0.1:41234`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Listens on a free port of loopback. */
export async function startMutexServer(): Promise<MutexServer> {
  const holders = createKeyHolders<Socket>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let rest = "";
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      holders.leave(socket);
    });
    socket.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.write(`${JSON.stringify(answer(JSON.parse(line) as MutexRequest, socket))}\n`);
    });
  });

  function answer(request: MutexRequest, socket: Socket): MutexReply {
    const { id, key } = request;
    if (request.ask === "release") {
      return { id, reply: holders.release(key, Number(request.token)) ? "released" : "not-owner" };
    }
    const token = holders.acquire(key, socket);
    return token === undefined ? { id, reply: "refused" } : { id, reply: "granted", token };
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
