import { connect, type NetConnectOpts, type Socket } from "node:net";
import type { FaultParameters } from "../../contracts/fault.ts";
import { randomStream } from "../../random-stream.ts";
import { BusyPoll } from "./connection/busy-poll.ts";
import { Connection, type ConnectionEnvironment } from "./connection/connection.ts";
import { ReusedReads } from "./connection/reused-reads.ts";
import { DelayErrorRecorder } from "./delay/delay-errors.ts";
import { DelayLine } from "./delay/delay-line.ts";
import { FaultInForce } from "./fault-in-force.ts";
import { type LinkChoice, takesInNode } from "./link-selector.ts";
import type { NodeSpec, ProxyEvent, ProxyStats, Upstream } from "./messages.ts";
import type { NetworkFaultDefinition } from "./network-fault.ts";
import { type ListenAddress, NodeListener } from "./node-listener.ts";
import { KnownScripts } from "./resp/scripts.ts";
import { sourceAt } from "./sources.ts";

interface ProxiedNode {
  name: string;
  upstream: Upstream;
  /** Where connections go: its own server, or the one that took its place. */
  server: Upstream;
  /** Named where the listener is for one source only. */
  source: string | undefined;
  listener: NodeListener;
}

export interface ProxyCoreOptions {
  seed: number;
  emit: (event: ProxyEvent) => void;
  /** Called whenever faults change: are any in force? */
  onFaults?: (any: boolean) => void;
}

/**
 * The proxy itself: listeners, connections, faults in force. It changes only between two turns of the event loop, so
 * that no byte sees a fault half set.
 */
export class ProxyCore {
  private readonly nodes = new Map<string, ProxiedNode>();
  private readonly connections = new Set<Connection>();
  private readonly faults = new Map<string, FaultInForce>();
  private readonly connectionCounts = new Map<string, number>();
  private readonly closedTotals = { connections: 0, requests: 0, replies: 0, requestBytes: 0, replyBytes: 0 };
  private readonly errors = new DelayErrorRecorder();
  private readonly seed: number;
  private readonly emit: (event: ProxyEvent) => void;
  private readonly onFaults: (any: boolean) => void;
  private readonly environment: ConnectionEnvironment;

  constructor({ seed, emit, onFaults }: ProxyCoreOptions) {
    this.seed = seed;
    this.emit = emit;
    this.onFaults = onFaults ?? (() => {});
    const busyPoll = new BusyPoll();
    this.environment = {
      // The reply to what has just passed would be seen at the end of a nap only.
      delays: new DelayLine(() => busyPoll.awaitsReply),
      errors: this.errors,
      scripts: new KnownScripts(),
      busyPoll,
      randomFor: (fault, { source, node, index }) => randomStream(this.seed, fault.id, source, node, index).float,
      commandPassed: (fault, connection, command) =>
        this.emit({
          kind: "command",
          id: fault.id,
          atNs: process.hrtime.bigint(),
          source: connection.source,
          node: connection.node,
          connection: connection.index,
          name: command.name,
          keys: command.keys,
        }),
      closed: (connection) => this.forget(connection),
      unframed: ({ source, node }, reason) => this.emit({ kind: "unframed", source, node, reason }),
    };
  }

  /** Starts to listen for a node. Resolves with the address that clients connect to. */
  async addNode({ name, upstream, listen, source }: NodeSpec): Promise<ListenAddress> {
    const key = nodeKey(name, source);
    if (this.nodes.has(key)) throw new Error(`The proxy has a node named ${key} already`);
    const listener = new NodeListener(listen ?? { host: "127.0.0.1", port: 0 }, (client) => this.accept(key, client));
    this.nodes.set(key, { name, upstream, server: upstream, source, listener });
    try {
      if (!this.isRefusing(name)) await listener.listen();
    } catch (error) {
      this.nodes.delete(key);
      throw error;
    }
    return listener.address;
  }

  /** Stops to listen for a node and closes its connections. */
  removeNode(name: string): void {
    for (const [key, node] of this.nodes) {
      if (node.name !== name) continue;
      node.listener.refuse();
      this.nodes.delete(key);
    }
    for (const connection of [...this.connections]) if (connection.node === name) connection.close();
  }

  /** New connections to a node go to another one's server from now on, as after a change of a name's address. */
  redirect(name: string, to: string): void {
    const target = [...this.nodes.values()].find((node) => node.name === to);
    if (!target) throw new Error(`The proxy has no node named ${to}`);
    for (const node of this.nodes.values()) if (node.name === name) node.server = target.upstream;
  }

  /** Puts a fault in force, in place of the one with this id if there is one. Resolves with the time from which it holds. */
  async setFault(
    id: string,
    definition: NetworkFaultDefinition,
    parameters: FaultParameters,
    targets: readonly LinkChoice[],
  ): Promise<bigint> {
    const links = definition.choosesLinks?.(parameters) ? [] : targets;
    const fault = new FaultInForce(id, definition, parameters, links);
    const before = this.faults.get(id);
    this.faults.set(id, fault);
    this.onFaults(true);
    if (before) this.takeOff(before);
    if (definition.refusesConnections) {
      for (const { name, listener } of this.nodes.values()) if (takesInNode(links, name)) listener.refuse();
    }
    for (const connection of [...this.connections]) if (fault.takesIn(connection)) connection.attach([fault]);
    const atNs = process.hrtime.bigint();
    if (before?.definition.refusesConnections) await this.listenAgain();
    return atNs;
  }

  /** Ends a fault. Resolves with the time from which it does not hold any more. */
  async clearFault(id: string): Promise<bigint> {
    const fault = this.faults.get(id);
    if (!fault) throw new Error(`No fault ${id} is in force on the proxy`);
    this.faults.delete(id);
    this.onFaults(this.faults.size > 0);
    this.takeOff(fault);
    if (fault.definition.refusesConnections) await this.listenAgain();
    return process.hrtime.bigint();
  }

  /** Lets go what a fault holds back, while it stays in force. */
  release(id: string): bigint {
    const fault = this.faults.get(id);
    if (!fault) throw new Error(`No fault ${id} is in force on the proxy`);
    for (const connection of this.connections) connection.release(fault);
    return process.hrtime.bigint();
  }

  stats({ reset }: { reset: boolean }): ProxyStats {
    const sum = { ...this.closedTotals };
    for (const { requests, replies } of this.connections) {
      sum.connections++;
      sum.requests += requests.frames;
      sum.replies += replies.frames;
      sum.requestBytes += requests.bytes;
      sum.replyBytes += replies.bytes;
    }
    const { user, system } = process.cpuUsage();
    const stats: ProxyStats = {
      ...sum,
      openConnections: this.connections.size,
      unframedConnections: [...this.connections].filter(({ isUnframed }) => isUnframed).length,
      faults: [...this.faults.values()].map(({ id, connections, commands }) => ({ id, connections, commands })),
      delayErrors: this.errors.summary,
      cpuMs: (user + system) / 1000,
    };
    if (reset) this.errors.reset();
    return stats;
  }

  /** Ends all connections and listeners. */
  close(): void {
    for (const { listener } of this.nodes.values()) listener.refuse();
    for (const connection of [...this.connections]) connection.reset();
  }

  private takeOff(fault: FaultInForce): void {
    fault.isOver = true;
    for (const connection of [...this.connections]) connection.detach(fault);
  }

  private isRefusing(node: string): boolean {
    return [...this.faults.values()].some(
      ({ definition, links }) => definition.refusesConnections && takesInNode(links, node),
    );
  }

  private async listenAgain(): Promise<void> {
    const waking = [...this.nodes.values()].filter(({ name }) => !this.isRefusing(name));
    await Promise.all(waking.map(({ listener }) => listener.listen()));
  }

  private accept(key: string, client: Socket): void {
    const node = this.nodes.get(key);
    if (!node) {
      client.resetAndDestroy();
      return;
    }
    const source = node.source ?? sourceAt(client.remoteAddress);
    const link = { source, node: node.name };
    const faults = [...this.faults.values()].filter((fault) => fault.takesIn(link));
    if (faults.some(({ definition }) => definition.refusesConnections)) {
      client.on("error", () => {});
      client.resetAndDestroy();
      return;
    }
    const countKey = `${source}-${node.name}`;
    const index = this.connectionCounts.get(countKey) ?? 0;
    this.connectionCounts.set(countKey, index + 1);
    const reads = new ReusedReads();
    const upstream = connect({ ...upstreamOptions(node.server), onread: reads.onread });
    const connection = new Connection({ ...link, index }, client, upstream, this.environment, reads);
    this.connections.add(connection);
    connection.attach(faults);
  }

  private forget(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    const { requests, replies } = connection;
    this.closedTotals.connections++;
    this.closedTotals.requests += requests.frames;
    this.closedTotals.replies += replies.frames;
    this.closedTotals.requestBytes += requests.bytes;
    this.closedTotals.replyBytes += replies.bytes;
  }
}

function upstreamOptions(upstream: Upstream): NetConnectOpts {
  return { ...upstream, allowHalfOpen: true, noDelay: true };
}

const nodeKey = (name: string, source: string | undefined) => (source === undefined ? name : `${name} for ${source}`);
