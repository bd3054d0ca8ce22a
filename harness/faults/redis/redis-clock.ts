import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";
import { whileWritable } from "./while-writable.ts";

/**
 * Redis keeps expiries as absolute wall-clock times, so a step of its clock moves every one of them. This does the same
 * to the keys that exist: every PTTL is shortened by the step, or lengthened by a step back; what has none left is gone.
 * KEYS: none. ARGV: step in ms. Gives the number of keys moved and deleted.
 */
const SHIFT_TTLS = `
local step, moved, deleted, cursor = tonumber(ARGV[1]), 0, 0, "0"
repeat
  local page = redis.call("SCAN", cursor, "COUNT", 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local ttl = redis.call("PTTL", key)
    if ttl >= 0 then
      if ttl - step <= 0 then
        deleted = deleted + redis.call("DEL", key)
      else
        moved = moved + redis.call("PEXPIRE", key, ttl - step)
      end
    end
  end
until cursor == "0"
return {moved, deleted}`;

/** A step of a Redis server's wall clock, as it acts on the locks that are held. `TIME` and stream ids do not move. */
export const redisClock: FaultDefinition = {
  name: "redis-clock",
  aliases: ["clock-jump"],
  group: "redis",
  summary: "The server's wall clock steps: every key that is there expires that much earlier, or later",
  parameters: {
    step: { type: "signed-duration", summary: "How far: +10s ends every lease of up to 10 s", required: true },
  },
  targets: ["node"],
  lasts: false,
  needsOwnServer: true,
  look: { colour: "clock", pattern: "solid" },
  async inject({ nodes }, fault) {
    const injectedAtNs = nowNs();
    const step = Number(fault.parameters.step);
    await Promise.all(
      targetsIn(nodes, fault).map(({ admin }) => whileWritable(admin, () => admin.eval(SHIFT_TTLS, 0, step))),
    );
    return { injectedAtNs };
  },
};
