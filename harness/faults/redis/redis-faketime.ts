import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLOCK_FILE } from "../../redis/faketime.ts";
import type { RedisServer } from "../../redis/server.ts";
import { type FaultDefinition, nowNs } from "../fault.ts";
import { serversIn } from "./servers-in.ts";

/** The server's real wall clock, by libfaketime: `TIME`, stream ids and expiries of keys to come move as well. */
export const redisFaketime: FaultDefinition = {
  name: "redis-faketime",
  aliases: ["faketime"],
  group: "redis",
  summary: "The server's wall clock itself is off, or runs fast or slow (libfaketime): TIME and stream ids move too",
  parameters: {
    offset: { type: "signed-duration", summary: "Distance from true time while the fault lasts", default: "0s" },
    speed: { type: "number", summary: "Seconds that pass per true second", default: "1", min: 0.001, max: 1000 },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  needs: "faketime",
  look: { colour: "clock", pattern: "cross" },
  async inject(field, fault) {
    const servers = serversIn(field, fault);
    const offsetMs = Number(fault.parameters.offset ?? 0);
    const speed = Number(fault.parameters.speed ?? 1);
    const injectedAtNs = nowNs();
    await Promise.all(servers.map((server) => setClock(server, offsetMs, speed)));
    return {
      injectedAtNs,
      async heal() {
        await Promise.all(servers.map((server) => setClock(server, 0, 1)));
        return nowNs();
      },
    };
  },
};

/**
 * Moves the clock, and makes sure that it moved: a server that was started without libfaketime keeps its own. A second try
 * takes back what the first was off by: where the clock runs fast, a moment between the start of the process, as the kernel
 * tells it, and that of libfaketime is long.
 */
async function setClock(server: RedisServer, offsetMs: number, speed: number): Promise<void> {
  const { name, folder, admin } = server;
  const file = join(folder, CLOCK_FILE);
  let correctionMs = 0;
  for (const isLast of [false, true]) {
    const setAtMs = performance.now();
    // It runs fast or slow since the start of the process: that much is taken back, so that the clock does not jump.
    const startMs = speed === 1 ? 0 : -ageMs(server) * (speed - 1);
    const seconds = (offsetMs + startMs + correctionMs) / 1_000;
    // At once: half a file would be half a time. Without a speed, libfaketime keeps the one that it had.
    writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds.toFixed(3)}s x${speed}\n`);
    renameSync(`${file}.new`, file);
    const isMs = await offsetOf(admin);
    // A fast clock has run on by the time it is read.
    const offMs = isMs - offsetMs - (performance.now() - setAtMs) * (speed - 1);
    if (Math.abs(offMs) <= TOLERANCE_MS) return;
    if (isLast) {
      const is = `the clock of ${name} is off by ${Math.round(isMs)} ms and not by ${offsetMs}`;
      throw new Error(`${is}: was it started with libfaketime?`);
    }
    correctionMs = -offMs;
  }
}

/** Of the time between the reading of a clock and the answer nobody knows the parts. */
const TOLERANCE_MS = 900;

async function offsetOf(admin: RedisServer["admin"]): Promise<number> {
  const askedMs = Date.now();
  const [seconds, micros] = await admin.time();
  return Number(seconds) * 1_000 + Number(micros) / 1_000 - (askedMs + Date.now()) / 2;
}

/** How long ago the process started, ms; the kernel tells it in hundredths of a second: proc(5). */
function ageMs({ pid }: RedisServer): number {
  const [uptime] = readFileSync("/proc/uptime", "utf8").split(" ");
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(uptime) * 1_000 - Number(fields[19]) * 10;
}
