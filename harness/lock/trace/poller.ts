import type { Redis } from "ioredis";
import type { TraceDetail } from "../../contracts/history.ts";
import type { TracedCommand } from "./interpreter.ts";

/** Asks again and again for value and PTTL of the keys that stand on a node. */
export interface Poller {
  saw(command: TracedCommand & { key: string }): void;
  stop(): void;
}

export interface PollerOptions {
  client: Redis;
  node: number;
  record(atNs: bigint, entry: { key: string; detail: TraceDetail }): void;
}

interface StandingKey {
  key: string;
  db: number;
  physicalKey: string;
}

const EVERY_MS = 200;
/** Keys asked for at once; of more, the next ones come at the next turn. */
const AT_ONCE = 500;
const VALUE_LENGTH = 64;
const WRITES = new Set(["SET", "SETNX", "GETSET", "PSETEX", "SETEX", "MSET", "MSETNX"]);

export function createPoller({ client, node, record }: PollerOptions): Poller {
  /** By place, those asked for longest ago first. */
  const standing = new Map<string, StandingKey>();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    const keys = [...standing.values()].slice(0, AT_ONCE);
    for (const db of new Set(keys.map((key) => key.db))) {
      await pollDatabase(
        db,
        keys.filter((key) => key.db === db),
      );
    }
  }

  async function pollDatabase(db: number, keys: readonly StandingKey[]): Promise<void> {
    const transaction = client.multi().select(db);
    for (const { physicalKey } of keys) transaction.get(physicalKey).pttl(physicalKey);
    const [, ...replies] = (await transaction.exec()) ?? [];
    const atNs = process.hrtime.bigint();
    if (ended) return;
    for (const [position, standingKey] of keys.entries()) {
      note(atNs, standingKey, replies[2 * position]?.[1], replies[2 * position + 1]?.[1]);
    }
  }

  function note(atNs: bigint, standingKey: StandingKey, value: unknown, pttlMs: unknown): void {
    if (typeof pttlMs !== "number") return;
    const { key, db, physicalKey } = standingKey;
    const gone = pttlMs === -2;
    standing.delete(placeOf(standingKey));
    if (!gone) standing.set(placeOf(standingKey), standingKey);
    // Another type than a string has no value to compare with an owner's token.
    if (!gone && typeof value !== "string") return;
    const text = typeof value === "string" ? value.slice(0, VALUE_LENGTH) : null;
    record(atNs, { key, detail: { kind: "state", node, db, physicalKey, value: gone ? null : text, pttlMs } });
  }

  function later(): void {
    if (ended) return;
    // A server that is away has nothing to say; the next turn asks again.
    const turn = () =>
      void poll()
        .catch(() => {})
        .finally(later);
    timer = setTimeout(turn, EVERY_MS).unref();
  }
  later();

  return {
    saw({ command, db = 0, physicalKey, key }) {
      if (WRITES.has(command)) standing.set(placeOf({ key, db, physicalKey }), { key, db, physicalKey });
    },
    stop() {
      ended = true;
      clearTimeout(timer);
    },
  };
}

const placeOf = ({ db, physicalKey }: StandingKey) => `${db} ${physicalKey}`;
