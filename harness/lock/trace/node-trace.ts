import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import type { TraceDetail } from "../../contracts/history.ts";
import { messageOf } from "../../errors.ts";
import type { RedisNodeHandle } from "../../redis/node-handle.ts";
import { clientOptions } from "../../redis/topologies/external.ts";
import { createInterpreter, type TracedLine } from "./interpreter.ts";
import { type KeyTemplate, keyReader } from "./key-templates.ts";
import { type MonitorConnection, watchServer } from "./monitor-connection.ts";
import { parseMonitorLine } from "./monitor-line.ts";
import { connectionsOf } from "./own-connections.ts";
import { createPoller } from "./poller.ts";

/** What one node is seen to do with the keys of locks. */
export interface NodeTrace {
  /** Waits until everything that the node did before now was seen, at the longest so many ms; then ends. */
  stop(limitMs: number): Promise<void>;
}

export interface NodeTraceOptions {
  handle: RedisNodeHandle;
  /** From 1. */
  node: number;
  templates: readonly KeyTemplate[];
  /** `atNs`: monotonic, absolute. */
  record(atNs: bigint, entry: TracedLine | { key?: string; detail: TraceDetail }): void;
}

/** What keyspace events it takes: expired and evicted keys, by event. */
const NEEDED_EVENTS = "Exe";

/**
 * Watches a node: MONITOR for its commands, keyspace events for what expires and is evicted, and a poller for the keys
 * that stand.
 * @throws Error when the server does not allow it
 */
export async function traceNode({ handle, node, templates, record }: NodeTraceOptions): Promise<NodeTrace> {
  const readKey = keyReader(templates, node);
  const client = watchingClient(handle);
  const events = watchingClient(handle);
  const own = [connectionsOf(client), connectionsOf(events)];
  const harness = connectionsOf(handle.admin);
  const interpret = createInterpreter({
    node,
    readKey,
    whose(address) {
      if (own.some((connections) => connections.has(address))) return "own";
      return harness.has(address) ? "fault" : "client";
    },
  });
  const databases = [...new Set(templates.filter((template) => template.node === node).map(({ db }) => db))];
  const poller = createPoller({ client, node, record });
  const markers = new Map<string, () => void>();

  const monitor = watchServer({
    address: handle.direct,
    onLine(line, atNs) {
      const read = parseMonitorLine(line);
      if (!read) return;
      if (read.words[0]?.toLowerCase() === "echo") markers.get(read.words[1] ?? "")?.();
      for (const traced of interpret(read)) {
        record(atNs, traced);
        if (traced.key !== undefined) poller.saw({ ...traced.detail, key: traced.key });
      }
    },
    onGap(sinceNs, untilNs) {
      record(untilNs, { detail: { kind: "gap", node, forNs: Number(untilNs - sinceNs) } });
    },
  });
  const close = () => {
    poller.stop();
    monitor.close();
    for (const connections of [...own, harness]) connections.forget();
    client.disconnect();
    events.disconnect();
  };
  try {
    await monitor.watching;
    await listen({ handle, client, events, databases }, (kind, db, physicalKey) => {
      const key = readKey(db, physicalKey);
      if (key !== undefined) record(process.hrtime.bigint(), { key, detail: { kind, node, db, physicalKey } });
    });
  } catch (error) {
    close();
    throw new Error(`${handle.name} cannot be traced: ${messageOf(error)}`, { cause: error });
  }
  return {
    async stop(limitMs) {
      const caughtUp = await seenEverything({ monitor, client, markers, limitMs });
      const blindSinceNs = monitor.blindSinceNs();
      const nowNs = process.hrtime.bigint();
      // What was not seen at the end is a gap like any other.
      if (blindSinceNs !== undefined || !caughtUp) {
        const forNs = Number(nowNs - (blindSinceNs ?? nowNs));
        record(nowNs, { detail: { kind: "gap", node, forNs } });
      }
      close();
    },
  };
}

/** Reconnects for ever; a command waits for as long as the server stands still. */
function watchingClient({ direct }: RedisNodeHandle): Redis {
  const client = new Redis({
    ...clientOptions(direct),
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
    disconnectTimeout: 100,
    retryStrategy: (times) => Math.min(10 * times, 100),
  });
  client.on("error", () => {});
  return client;
}

/** Subscribes to keyspace events. On a server of the run they are switched on, also after each restart. */
async function listen(
  {
    handle,
    client,
    events,
    databases,
  }: { handle: RedisNodeHandle; client: Redis; events: Redis; databases: readonly number[] },
  onEvent: (kind: "expired" | "evicted", db: number, physicalKey: string) => void,
): Promise<void> {
  const switchOn = async () => {
    const [, before = ""] = (await client.config("GET", "notify-keyspace-events")) as [string?, string?];
    const missing = [...NEEDED_EVENTS].filter(
      (flag) => !before.includes(flag) && !(flag !== "E" && before.includes("A")),
    );
    if (missing.length > 0) await client.config("SET", "notify-keyspace-events", before + missing.join(""));
  };
  if (handle.owned) {
    await switchOn();
    client.on("ready", () => void switchOn().catch(() => {}));
  }
  events.on("message", (channel: string, physicalKey: string) => {
    const found = /^__keyevent@(\d+)__:(expired|evicted)$/.exec(channel);
    if (found) onEvent(found[2] as "expired" | "evicted", Number(found[1]), physicalKey);
  });
  const channels = databases.flatMap((db) => [`__keyevent@${db}__:expired`, `__keyevent@${db}__:evicted`]);
  if (channels.length > 0) await events.subscribe(...channels);
}

/** Has the server say a word, and waits until MONITOR shows it: what came before has then been seen. */
async function seenEverything({
  monitor,
  client,
  markers,
  limitMs,
}: {
  monitor: MonitorConnection;
  client: Redis;
  markers: Map<string, () => void>;
  limitMs: number;
}): Promise<boolean> {
  if (monitor.blindSinceNs() !== undefined) return false;
  const marker = `holdfast-${randomBytes(6).toString("hex")}`;
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    markers.set(marker, () => {
      clearTimeout(timer);
      resolve(true);
    });
    client.echo(marker).catch(() => {});
  });
}
