import { createServer } from "node:net";
import { cpus, freemem, release, type } from "node:os";
import { messageOf } from "../../errors.ts";
import type { DoctorFinding } from "./finding.ts";

const oldestNode = [20, 19] as const;

export function examineNode(running: string = process.versions.node): DoctorFinding {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const text = isOld ? `${running}: ${oldestNode.join(".")} or later is needed` : running;
  return { topic: "node", state: isOld ? "missing" : "fine", text, facts: { version: running } };
}

export function examineMachine(): DoctorFinding {
  const cores = cpus().length;
  const freeMb = Math.round(freemem() / 1e6);
  const text = `${type()} ${release()}, ${cores} cores, ${freeMb} MB free`;
  const tight = cores < 2 || freeMb < 500;
  return {
    topic: "machine",
    state: tight ? "mind" : "fine",
    text: tight ? `${text}: four workers and two Redis servers will get into each other's way` : text,
    facts: { cores, freeMb, platform: process.platform },
  };
}

/** Servers and proxies listen on loopback; workers are told apart by addresses such as 127.0.1.2, or by ports. */
export async function examinePorts(mayUse: (host: string) => Promise<void> = listenOn): Promise<DoctorFinding> {
  try {
    await mayUse("127.0.0.1");
  } catch (error) {
    return { topic: "ports", state: "missing", text: `no port of 127.0.0.1 can be listened on: ${messageOf(error)}` };
  }
  try {
    await mayUse("127.0.1.2");
    return { topic: "ports", state: "fine", text: "free ports on loopback, and the addresses 127.0.0.0/8" };
  } catch (error) {
    return {
      topic: "ports",
      state: "mind",
      text:
        `free ports on 127.0.0.1, but not on 127.0.1.2 (${messageOf(error)}): workers are told apart by ports of their own, ` +
        "and faults on the connections of replicas and sentinels, such as redis-failover, are refused",
    };
  }
}

function listenOn(host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port: 0 }, () => server.close(() => resolve()));
  });
}
