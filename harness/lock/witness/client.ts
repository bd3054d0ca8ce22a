import { Redis } from "ioredis";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import type { EffectOutcome, Witness } from "../../contracts/witness.ts";
import { witnessKeys } from "./keys.ts";

/** Which execution an effect belongs to. */
export interface EffectOwner {
  job: string;
  key: string;
  execution: string;
  fencingToken?: number;
}

export interface WitnessClient {
  /** The witness as one execution of a job sees it. */
  forExecution(owner: EffectOwner): Witness;
  close(): void;
}

/**
 * KEYS: log, seen, document, jobs. ARGV: execution, effect, job, key, fencing token or "", mode, value, name of the
 * document, version that the execution read or "". Modes: `record` has no document; `write` sets its value; `fenced`
 * first holds the token against the highest seen; `unfenced` does that too but lets the write through. Gives {first,
 * accepted}; an effect that is sent again hears what became of it the first time.
 */
const EFFECT = `
local execution, effect, job, key, token, mode, value, document, readVersion = unpack(ARGV)
local seen = redis.call("HGET", KEYS[2], execution .. "\\n" .. effect)
if seen then return {0, seen == "fenced" and 0 or 1} end
local outcome = "accepted"
if mode == "fenced" or mode == "unfenced" then
  local highest = tonumber(redis.call("HGET", KEYS[3], "highest") or "-1")
  if tonumber(token) < highest then
    outcome = mode == "fenced" and "fenced" or "would-refuse"
  else
    redis.call("HSET", KEYS[3], "highest", token)
  end
end
redis.call("HSET", KEYS[2], execution .. "\\n" .. effect, outcome)
local version = ""
if mode ~= "record" and outcome ~= "fenced" then
  redis.call("HSET", KEYS[3], "value", value)
  version = redis.call("HINCRBY", KEYS[3], "version", 1)
end
redis.call("SADD", KEYS[4], job)
redis.call("XADD", KEYS[1], "*", "execution", execution, "effect", effect, "job", job, "key", key,
  "fencingToken", token, "outcome", outcome, "value", value, "document", document, "version", version,
  "readVersion", readVersion)
return {1, outcome == "fenced" and 0 or 1}`;

interface EffectClient extends Redis {
  effect(...args: (string | number)[]): Promise<[first: number, accepted: number]>;
}

/** Connects to the witness directly, past every fault. */
export function connectWitness(node: LockNode, { enforceFencing }: { enforceFencing: boolean }): WitnessClient {
  const client = new Redis({
    host: node.host,
    port: node.port,
    maxRetriesPerRequest: null,
    scripts: { effect: { lua: EFFECT, numberOfKeys: 4 } },
  }) as EffectClient;
  client.on("error", () => {});

  return {
    forExecution(owner) {
      /** The version of each document that this execution last read. */
      const readVersions = new Map<string, number>();
      const apply = async (
        effect: string,
        mode: "record" | "write" | "fenced" | "unfenced",
        {
          document = "",
          value = 0,
          token = owner.fencingToken,
        }: { document?: string; value?: number; token?: number | undefined } = {},
      ): Promise<EffectOutcome> => {
        const keys = [witnessKeys.log, witnessKeys.seen, witnessKeys.document(document), witnessKeys.jobs];
        const [first, accepted] = await client.effect(
          ...[...keys, owner.execution, effect, owner.job, owner.key, token ?? "", mode, value],
          ...[document, readVersions.get(document) ?? ""],
        );
        return { first: first === 1, accepted: accepted === 1 };
      };
      return {
        record: (effect) => apply(effect, "record"),
        async read(document) {
          const [value, version] = await client.hmget(witnessKeys.document(document), "value", "version");
          readVersions.set(document, Number(version ?? 0));
          return { value: Number(value ?? 0), version: Number(version ?? 0) };
        },
        write: (document, value) => apply(`write ${document}`, "write", { document, value }),
        writeFenced: (document, value, token) =>
          apply(`write ${document}`, enforceFencing ? "fenced" : "unfenced", { document, value, token }),
      };
    },
    close() {
      client.disconnect();
    },
  };
}
