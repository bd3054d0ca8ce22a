import { Redis } from "ioredis";
import type { LockNode } from "../../harness/contracts/lock-adapter.ts";
import type {
  Delivery,
  DeliveryHandler,
  QueueConsumer,
  QueueContext,
  QueuedJob,
  QueueModule,
  QueueProducer,
} from "../../harness/contracts/queue.ts";
import { tlsOptions } from "../tls-options.ts";

const GROUP = "workers";
/** How long one blocking read waits on the server before it asks again, ms. */
const BLOCK_MS = 1000;
/** Turns of so many jobs that a producer sends to nobody before the first true one. */
const WARM_UP_TURNS = 20;
const WARM_UP_JOBS = 10;

/**
 * Claims messages that were delivered longer than the visibility timeout ago and gives each with its delivery count,
 * which XAUTOCLAIM alone does not tell. One script, so that nobody claims in between.
 */
const CLAIM = `
local claimed = redis.call("XAUTOCLAIM", KEYS[1], ARGV[1], ARGV[2], ARGV[3], "0-0", "COUNT", ARGV[4])
local messages = {}
for _, message in ipairs(claimed[2]) do
  if message and message[2] then
    local pending = redis.call("XPENDING", KEYS[1], ARGV[1], message[1], message[1], 1)
    if pending[1] then messages[#messages + 1] = {message[1], message[2], pending[1][4]} end
  end
end
return messages`;

/** Acknowledged messages leave the stream, so that its length is what is waiting or pending. */
const ACKNOWLEDGE = `
redis.call("XACK", KEYS[1], ARGV[1], ARGV[2])
return redis.call("XDEL", KEYS[1], ARGV[2])`;

type Message = [id: string, fields: string[], deliveries?: number];
type PendingEntry = [id: string, consumer: string, idleMs: number, deliveries: number];

interface QueueClient extends Redis {
  claim(stream: string, group: string, consumer: string, visibilityMs: number, count: number): Promise<Message[]>;
  acknowledge(stream: string, group: string, id: string): Promise<number>;
}

/** At-least-once delivery over Redis Streams: XREADGROUP, XAUTOCLAIM after the visibility timeout, XACK. */
const streams: QueueModule = { createConsumer, createProducer };
export default streams;

function createConsumer(context: QueueContext): QueueConsumer {
  const stream = streamKey(context.keyPrefix);
  const reader = connect(context.node);
  const client = connect(context.node);
  let running = 0;
  let taking = true;
  let reading = true;
  let slotFreed = () => {};
  let claimTimer: NodeJS.Timeout | undefined;
  let loop: Promise<void> = Promise.resolve();

  function begin(handler: DeliveryHandler, [id, fields, deliveries = 1]: Message): void {
    running += 1;
    void handler(delivery(id, parseFields(fields), deliveries)).finally(() => {
      running -= 1;
      slotFreed();
    });
  }

  function delivery(id: string, job: QueuedJob, attempt: number): Delivery {
    return {
      ...job,
      id,
      attempt,
      async look() {
        const entries = (await client.xpending(stream, GROUP, id, id, 1)) as PendingEntry[];
        return entries[0]?.[1] === context.consumer && entries[0][3] === attempt;
      },
      async ack() {
        await client.acknowledge(stream, GROUP, id);
      },
    };
  }

  async function readNew(handler: DeliveryHandler): Promise<void> {
    while (taking) {
      const free = context.concurrency - running;
      if (free <= 0) {
        await new Promise<void>((resolve) => {
          slotFreed = resolve;
        });
        continue;
      }
      try {
        const replies = (await reader.xreadgroup(
          ...(["GROUP", GROUP, context.consumer, "COUNT", free, "BLOCK", BLOCK_MS, "STREAMS", stream, ">"] as const),
        )) as [string, Message[]][] | null;
        for (const message of replies?.[0]?.[1] ?? []) begin(handler, message);
      } catch (error) {
        if (!taking) return;
        await untilReadable(reader, error);
      }
    }
  }

  async function claimOverdue(handler: DeliveryHandler): Promise<void> {
    const free = context.concurrency - running;
    if (free <= 0) return;
    const messages = await client.claim(stream, GROUP, context.consumer, context.visibilityMs, free);
    for (const message of messages) begin(handler, message);
  }

  function scheduleClaims(handler: DeliveryHandler): void {
    claimTimer = setTimeout(async () => {
      await claimOverdue(handler).catch(() => {});
      if (taking) scheduleClaims(handler);
    }, context.claimIntervalMs);
  }

  /** Once: for a connection that is closed already ioredis would keep a timer of two seconds. */
  function endReader(): void {
    if (reading) reader.disconnect();
    reading = false;
  }

  return {
    async start(handler) {
      await Promise.all([reader.ping(), client.ping()]);
      loop = readNew(handler);
      scheduleClaims(handler);
    },
    async pause() {
      taking = false;
      clearTimeout(claimTimer);
      slotFreed();
      endReader();
      await loop;
    },
    async close() {
      taking = false;
      clearTimeout(claimTimer);
      endReader();
      client.disconnect();
    },
  };
}

function createProducer({ node, keyPrefix }: Pick<QueueContext, "node" | "keyPrefix">): QueueProducer {
  const stream = streamKey(keyPrefix);
  const client = connect(node);

  async function addTo(key: string, job: QueuedJob): Promise<void> {
    await client.xadd(key, "*", "job", job.job, "key", job.key, "durationUs", job.durationUs);
  }

  /** The first commands of a client are its slowest, and would make the first jobs late: they go elsewhere. */
  async function warmUp(): Promise<void> {
    const elsewhere = `${stream}:warm-up`;
    for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) {
      const jobs = Array.from({ length: WARM_UP_JOBS }, (_, index) => ({ job: `${index}`, key: "", durationUs: 0 }));
      await Promise.all(jobs.map((job) => addTo(elsewhere, job)));
    }
    await client.del(elsewhere);
  }

  return {
    async setup() {
      await client.xgroup("CREATE", stream, GROUP, "0", "MKSTREAM");
      await warmUp();
    },
    add: (job) => addTo(stream, job),
    async depth() {
      const [length, summary] = await Promise.all([client.xlen(stream), client.xpending(stream, GROUP)]);
      const pending = Number(summary[0]);
      return { waiting: length - pending, pending };
    },
    async close() {
      client.disconnect();
    },
  };
}

function connect(node: LockNode): QueueClient {
  const client = new Redis({
    host: node.host,
    port: node.port,
    db: node.db,
    ...(node.username === undefined ? {} : { username: node.username }),
    ...(node.password === undefined ? {} : { password: node.password }),
    ...tlsOptions(node),
    // A queue's client waits for its server for as long as it takes.
    maxRetriesPerRequest: null,
    scripts: {
      claim: { lua: CLAIM, numberOfKeys: 1 },
      acknowledge: { lua: ACKNOWLEDGE, numberOfKeys: 1 },
    },
  }) as QueueClient;
  client.on("error", () => {});
  return client;
}

/** After an error that the server answered with (a restart without its group, say) a short wait, so as not to spin. */
async function untilReadable(reader: Redis, error: unknown): Promise<void> {
  if (reader.status === "end") throw error;
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const streamKey = (keyPrefix: string) => `${keyPrefix}queue`;

function parseFields(fields: readonly string[]): QueuedJob {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2) values.set(fields[index]!, fields[index + 1]!);
  return {
    job: values.get("job") ?? "",
    key: values.get("key") ?? "",
    durationUs: Number(values.get("durationUs") ?? 0),
  };
}
