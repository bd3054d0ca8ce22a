import { once } from "node:events";
import { createConnection } from "node:net";
import { z } from "zod";
import type { LockCapabilities, LockModule, LostListener } from "../../harness/contracts/lock-adapter.ts";
import { MUTEX_SERVER, type MutexReply, type MutexRequest } from "../../harness/contracts/mutex-server.ts";
import { readOptions } from "./options.ts";

const capabilities: LockCapabilities = {
  renewal: "auto",
  lease: "connection",
  fencing: "atomic",
  nodes: 1,
  usesRedis: false,
  client: "none: a socket to the orchestrator",
};

type Ask = { ask: "acquire"; key: string } | { ask: "release"; key: string; token: string };

/**
 * The mutex server of the run: correct by being the only one that decides, and by noticing the end of a holder. No
 * finding against it is ever true, so that one shows a mistake of the checks.
 */
const mutexServer: LockModule = {
  capabilities,
  async createLock({ options }) {
    const { address } = readOptions(MUTEX_SERVER, { address: z.string().regex(/^[\d.]+:\d+$/) }, options);
    const [host, port] = address.split(":") as [string, string];
    const socket = createConnection({ host, port: Number(port), noDelay: true });
    await once(socket, "connect");
    const waiting = new Map<number, { resolve(reply: MutexReply): void; reject(error: Error): void }>();
    const held = new Map<string, string>();
    let lastId = 0;
    let rest = "";
    let tellLost: LostListener = () => {};

    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const reply = JSON.parse(line) as MutexReply;
        waiting.get(reply.id)?.resolve(reply);
        waiting.delete(reply.id);
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const [token, key] of held)
        tellLost({ key, token, reason: "the connection to the mutex server was closed" });
      for (const { reject } of waiting.values()) reject(new Error("the connection to the mutex server was closed"));
    });

    function ask(request: Ask): Promise<MutexReply> {
      lastId += 1;
      const id = lastId;
      const line: MutexRequest = { id, ...request };
      return new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error("the connection to the mutex server was closed"));
        waiting.set(id, { resolve, reject });
        socket.write(`${JSON.stringify(line)}\n`);
      });
    }

    return {
      capabilities,
      async acquire(key) {
        try {
          const reply = await ask({ ask: "acquire", key });
          if (reply.reply !== "granted") return { outcome: "refused" };
          const token = String(reply.token);
          held.set(token, key);
          return { outcome: "granted", token, fencingToken: reply.token };
        } catch (error) {
          return { outcome: "indeterminate", error };
        }
      },
      async release(key, token) {
        held.delete(token);
        try {
          const { reply } = await ask({ ask: "release", key, token });
          return reply === "released" ? { outcome: "released" } : { outcome: "not-owner" };
        } catch (error) {
          return { outcome: "unknown", error };
        }
      },
      onLost(listener) {
        tellLost = listener;
      },
      redisKeys: () => [],
      async close() {
        held.clear();
        socket.destroy();
      },
    };
  },
};

export default mutexServer;
