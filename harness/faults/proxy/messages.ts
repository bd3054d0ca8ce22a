import type { FaultParameters } from "../../contracts/fault.ts";
import type { DelayErrors } from "./delay/delay-errors.ts";
import type { LinkChoice } from "./link-selector.ts";

/** Where a node really is. */
export type Upstream = { host: string; port: number } | { path: string };

export interface NodeSpec {
  /** `node:1`. */
  name: string;
  upstream: Upstream;
  /** Default: a free port of 127.0.0.1. */
  listen?: { host: string; port: number };
  /** A listener for one source only, where sources cannot be told by their address. Several per node are allowed. */
  source?: string;
}

export interface FaultSetting {
  /** The definition's name. */
  name: string;
  parameters: FaultParameters;
  links: readonly LinkChoice[];
}

/** What the parent asks; each is answered once, when it is done. */
export type ProxyRequest =
  | { kind: "add-node"; node: NodeSpec }
  | { kind: "remove-node"; name: string }
  /** New connections to a node go to another one's server, or with itself as `to` to its own again. */
  | { kind: "redirect"; name: string; to: string }
  | { kind: "set-fault"; id: string; fault: FaultSetting }
  | { kind: "clear-fault"; id: string }
  | { kind: "release"; id: string }
  | { kind: "stats"; reset: boolean };

export type ProxyAnswer =
  | { host: string; port: number }
  /** Monotonic, of `process.hrtime.bigint()`: when it took effect. */
  | { atNs: bigint }
  | ProxyStats;

/** What the child tells unasked. */
export type ProxyEvent =
  | {
      kind: "command";
      /** The watch that saw it. */
      id: string;
      /** When the request was written to the node. */
      atNs: bigint;
      source: string;
      node: string;
      /** Which connection of the source to the node, from 0. */
      connection: number;
      name: string;
      keys: readonly string[];
    }
  /** Faults on commands do not work on this connection any more; those on bytes do. `replication` is the normal reason. */
  | { kind: "unframed"; source: string; node: string; reason: string };

export interface ProxyStats {
  /** Since the start, closed ones included. */
  connections: number;
  openConnections: number;
  unframedConnections: number;
  requests: number;
  replies: number;
  requestBytes: number;
  replyBytes: number;
  /** Those in force: connections that each was put on, and commands that it did something to. */
  faults: readonly { id: string; connections: number; commands: number }[];
  delayErrors: DelayErrors;
  /** CPU time of the proxy's process since its start, ms. */
  cpuMs: number;
}

export type ParentMessage = { number: number; request: ProxyRequest };
export type ChildMessage =
  | { type: "ready" }
  | { type: "answer"; number: number; answer: ProxyAnswer }
  | { type: "error"; number: number; message: string }
  | { type: "event"; event: ProxyEvent };
