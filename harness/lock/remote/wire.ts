import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { z } from "zod";

/**
 * What an orchestrator and the hosts that join it say to each other over TCP: one JSON object a line, each checked by its
 * schema. A connection begins with the orchestrator's challenge; the token itself never travels.
 */
export const challengeSchema = z.object({ type: z.literal("challenge"), nonce: z.string() });

const shared = { proof: z.string() };

/** The first line of whoever connects: a host, or one connection that is to be passed on to a server of the run. */
export const openingSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("join"),
    ...shared,
    build: z.string(),
    name: z.string(),
    /** How many workers it can play. */
    slots: z.int().min(1),
  }),
  z.object({ type: z.literal("tunnel"), ...shared, worker: z.int(), target: z.string() }),
]);

export type Opening = z.infer<typeof openingSchema>;

const moduleRef = z.looseObject({ name: z.string(), path: z.string() });
const node = z.looseObject({ host: z.string(), port: z.int(), db: z.int() });
const child = z.string();

const sentModule = z.object({ file: z.string(), sha256: z.string() });

/** A user's own module: where it is below the working folder, and what it must be. */
export type SentModule = z.infer<typeof sentModule>;

/** An assignment as it travels; the paths and addresses in it are the orchestrator's. */
const assignmentSchema = z.looseObject({
  worker: z.int(),
  incarnation: z.int(),
  arm: z.string(),
  round: z.int(),
  startedAtMonotonicNs: z.string(),
  journalFile: z.string(),
  lock: moduleRef,
  queue: moduleRef,
  job: moduleRef,
  lockNodes: z.array(node),
  queueNode: node,
  witnessNode: node,
});

export const toHostSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("refused"), reason: z.string() }),
  z.object({ type: z.literal("welcome") }),
  /** The servers are up: ask the witness for its time. Seconds since the epoch that its answers count from. */
  z.object({ type: z.literal("begin"), baseSeconds: z.int() }),
  /** Start a worker. Zero of its journal, ns on the host's clock. Hashes of modules that are not built in, by path. */
  z.object({
    type: z.literal("start"),
    child,
    zeroNs: z.number(),
    assignment: assignmentSchema,
    modules: z.record(z.string(), sentModule),
  }),
  z.object({ type: z.literal("tell"), child, message: z.looseObject({ type: z.string() }) }),
  z.object({
    type: z.literal("signal"),
    child,
    id: z.int(),
    signal: z.enum(["SIGSTOP", "SIGCONT", "SIGTERM", "SIGKILL"]),
  }),
  z.object({ type: z.literal("over") }),
]);

export type ToHost = z.infer<typeof toHostSchema>;

export const fromHostSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("clock"), sentNs: z.number(), receivedNs: z.number(), serverNs: z.number() }),
  z.object({ type: z.literal("said"), child, message: z.looseObject({ type: z.string() }) }),
  z.object({
    type: z.literal("trigger"),
    child,
    line: z.object({
      faultId: z.string(),
      event: z.enum(["grant", "release", "effect"]),
      atNs: z.number(),
      stopsHere: z.boolean(),
    }),
  }),
  /** Lines of a worker's journal, as it wrote them. */
  z.object({ type: z.literal("journal"), child, text: z.string() }),
  z.object({ type: z.literal("signalled"), child, id: z.int(), error: z.string().optional() }),
  z.object({
    type: z.literal("exited"),
    child,
    code: z.int().optional(),
    signal: z.string().optional(),
    stderr: z.string(),
  }),
]);

export type FromHost = z.infer<typeof fromHostSchema>;

export const newToken = (): string => randomBytes(16).toString("base64url");

export const newNonce = (): string => randomBytes(24).toString("base64url");

/** That whoever sends it knows the token. */
export const proofOf = (token: string, nonce: string): string =>
  createHmac("sha256", token).update(nonce).digest("base64url");

export function isProof(given: string, token: string, nonce: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(proofOf(token, nonce))];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function sendLine(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** No message is longer; who sends more is not of this house. */
const LONGEST_LINE = 64 << 20;

/**
 * Reads lines of JSON from a socket. The reader may stop after any line: what came after it is handed back, untouched.
 * A line that is none ends the connection.
 */
export function readJsonLines(
  socket: Socket,
  onLine: (value: unknown, stop: () => Buffer) => void,
  longest = LONGEST_LINE,
): void {
  let pending: Buffer[] = [];
  let size = 0;
  let stopped = false;
  const take = (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end >= 0 && !stopped; end = rest.indexOf(0x0a)) {
      const line = Buffer.concat([...pending, rest.subarray(0, end)]).toString("utf8");
      pending = [];
      size = 0;
      rest = rest.subarray(end + 1);
      const after = rest;
      try {
        onLine(JSON.parse(line), () => {
          stopped = true;
          socket.off("data", take);
          // Until somebody reads on.
          socket.pause();
          return after;
        });
      } catch (error) {
        socket.destroy(error as Error);
        return;
      }
    }
    if (stopped) return;
    pending.push(rest);
    size += rest.length;
    if (size > longest) socket.destroy(new Error("a line is too long"));
  };
  socket.on("data", take);
}
