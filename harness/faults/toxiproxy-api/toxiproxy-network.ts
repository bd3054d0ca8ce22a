import { z } from "zod";
import type { FaultParameters } from "../../contracts/fault.ts";
import { describeIssues, messageOf, UnavailableError, UsageError } from "../../errors.ts";
import { type FaultNetwork, type NetworkFault, nowNs } from "../fault.ts";
import { networkFaultNamed } from "../proxy/network/registry.ts";
import { numberOf, textOf } from "../proxy/network-fault.ts";
import { formatAddress, parseAddress } from "./address.ts";

export interface ToxiproxyOptions {
  /** `http://127.0.0.1:8474`. */
  url: string;
  /** Names of the proxies start with it, so that they stand apart from those that are there: the run's id. */
  prefix: string;
  /** How many clients the run has: `client:1` to `client:n`. Faults that take in all of them can be done. */
  clients: number;
}

interface Toxic {
  type: string;
  stream: "upstream" | "downstream";
  attributes: Record<string, number>;
}

/** What a fault is on a Toxiproxy server: toxics on some nodes, or nodes disabled. */
interface Translation {
  nodes: readonly string[];
  toxics: readonly Toxic[];
  disables: boolean;
  toxicity: number;
}

/**
 * A Toxiproxy server as the network of a run. It can do what its toxics can: whole nodes, whole milliseconds, no
 * commands. `refuseIfUnable` tells beforehand. Throws `UnavailableError` where the server does not answer.
 */
export class ToxiproxyNetwork implements FaultNetwork {
  private readonly options: ToxiproxyOptions;
  private readonly nodes = new Set<string>();
  private readonly inForce = new Map<string, Translation>();

  private constructor(options: ToxiproxyOptions) {
    this.options = options;
  }

  /** Asks the server for its version: version 2 of the API is needed. */
  static async connect(options: ToxiproxyOptions): Promise<ToxiproxyNetwork> {
    const network = new ToxiproxyNetwork(options);
    const text = await network.call("GET", "/version").catch((error: unknown) => {
      throw error instanceof UnavailableError ? error : noToxiproxy(options.url, messageOf(error));
    });
    const version = (versionSchema.safeParse(text).data?.version ?? String(text)).trim();
    if (/^[01]\./.test(version)) {
      throw new UnavailableError(`Toxiproxy ${version} at ${options.url} is too old: version 2 is needed.`);
    }
    return network;
  }

  /** The address of a node's proxy in the API. */
  urlOf(node: string): string {
    return new URL(this.proxyPath(node), this.options.url).href;
  }

  /** Makes a proxy for a node, on the server's host; resolves with the address that clients use. */
  async addNode({ name, upstream }: { name: string; upstream: { host: string; port: number } }) {
    const { hostname } = new URL(this.options.url);
    const host = hostname.replace(/^\[|\]$/g, "");
    const body = {
      name: this.proxyName(name),
      listen: formatAddress({ host, port: 0 }),
      upstream: formatAddress(upstream),
      enabled: true,
    };
    const made = proxySchema.safeParse(await this.call("POST", "/proxies", body));
    if (!made.success) throw noToxiproxy(this.options.url, `POST /proxies: ${describeIssues(made.error)}`);
    this.nodes.add(name);
    return { host, port: parseAddress(made.data.listen).port };
  }

  async setFault(id: string, fault: NetworkFault): Promise<{ atNs: bigint }> {
    const translation = translate(fault, { nodes: [...this.nodes], clients: this.options.clients });
    if (this.inForce.has(id)) await this.clearFault(id);
    this.inForce.set(id, translation);
    for (const node of translation.nodes) {
      const path = this.proxyPath(node);
      if (translation.disables) await this.call("POST", path, { enabled: false });
      for (const { type, stream, attributes } of translation.toxics) {
        const body = { name: toxicName(id, stream), type, stream, attributes, toxicity: translation.toxicity };
        await this.call("POST", `${path}/toxics`, body);
      }
    }
    return { atNs: nowNs() };
  }

  async clearFault(id: string): Promise<{ atNs: bigint }> {
    const translation = this.inForce.get(id);
    if (!translation) throw new Error(`No fault ${id} is in force on the Toxiproxy server`);
    for (const node of translation.nodes) {
      const path = this.proxyPath(node);
      for (const { stream } of translation.toxics) await this.call("DELETE", `${path}/toxics/${toxicName(id, stream)}`);
      const isStillRefusing = [...this.inForce].some(
        ([other, { disables, nodes }]) => other !== id && disables && nodes.includes(node),
      );
      if (translation.disables && !isStillRefusing) await this.call("POST", path, { enabled: true });
    }
    this.inForce.delete(id);
    return { atNs: nowNs() };
  }

  /** Removes the proxies of this run, and no others. */
  async close(): Promise<void> {
    for (const node of this.nodes) await this.call("DELETE", this.proxyPath(node));
    this.nodes.clear();
  }

  private proxyName(node: string): string {
    return `${this.options.prefix}-${node.replaceAll(":", "-")}`;
  }

  private proxyPath(node: string): string {
    return `/proxies/${encodeURIComponent(this.proxyName(node))}`;
  }

  private async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { url } = this.options;
    let response: Response;
    try {
      response = await fetch(new URL(path, url), {
        method,
        signal: AbortSignal.timeout(10_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      });
    } catch (error) {
      throw new UnavailableError(
        `No Toxiproxy answers at ${url}: ${messageOf(error)}. Start one, or leave out --toxiproxy.`,
        {
          cause: error,
        },
      );
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`Toxiproxy refused ${method} ${path} (${response.status}): ${text.trim()}`);
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
}

/** Throws `UsageError` with the reason if a Toxiproxy server cannot do this fault. */
export function refuseIfUnable(fault: NetworkFault, run: { nodes: readonly string[]; clients: number }): void {
  translate(fault, run);
}

function translate(fault: NetworkFault, run: { nodes: readonly string[]; clients: number }): Translation {
  const { parameters } = fault;
  const name = networkFaultNamed(fault.name)?.name ?? fault.name;
  const make = translations[name];
  if (!make) throw unable(name, "it knows no commands");
  const toxicity = numberOf(parameters, "toxicity", 1);
  const { disables = false, toxics = [] } = make(parameters, name);
  return { nodes: wholeNodes(name, fault.targets, run), toxics, disables, toxicity };
}

type Make = (parameters: FaultParameters, name: string) => { toxics?: Toxic[]; disables?: boolean };

const translations: Readonly<Record<string, Make>> = {
  latency(parameters, name) {
    const distribution = textOf(parameters, "distribution", parameters.p99 === undefined ? "uniform" : "lognormal");
    if (distribution !== "uniform" || parameters.p99 !== undefined)
      throw unable(name, "its jitter is uniform: base and jitter, no p99");
    if (numberOf(parameters, "correlation", 0) !== 0) throw unable(name, "its jitter is not correlated");
    const latency = whole(name, "base", numberOf(parameters, "base", 0), "ms");
    const jitter = whole(name, "jitter", numberOf(parameters, "jitter", 0), "ms");
    return { toxics: both(parameters, "replies", "latency", { latency, jitter }) };
  },
  bandwidth(parameters, name) {
    const rate = whole(name, "rate", numberOf(parameters, "rate", 0) / 1000, "KB/s");
    if (rate < 1) throw unable(name, "the least is 1 KB/s");
    return { toxics: both(parameters, "replies", "bandwidth", { rate }) };
  },
  slicer(parameters, name) {
    const size = whole(name, "size", numberOf(parameters, "size", 64), "bytes");
    const variation = whole(name, "variation", numberOf(parameters, "variation", 0), "bytes");
    const delay = whole(name, "delay", numberOf(parameters, "delay", 0.01) * 1000, "us");
    return { toxics: both(parameters, "replies", "slicer", { average_size: size, size_variation: variation, delay }) };
  },
  partition: cutOff("hold"),
  "black-hole": cutOff("lose"),
  reset(parameters, name) {
    if (parameters.bytes !== undefined) throw unable(name, "it resets after a time, not after bytes");
    const timeout = whole(name, "after", numberOf(parameters, "after", 0), "ms");
    return { toxics: [{ type: "reset_peer", stream: "downstream", attributes: { timeout } }] };
  },
  refuse: () => ({ disables: true }),
  "slow-close"(parameters, name) {
    const delay = whole(name, "delay", numberOf(parameters, "delay", 0), "ms");
    return { toxics: both(parameters, "both", "slow_close", { delay }) };
  },
  "limit-data"(parameters, name) {
    const bytes = whole(name, "bytes", numberOf(parameters, "bytes", 0), "bytes");
    return { toxics: both(parameters, "replies", "limit_data", { bytes }) };
  },
};

function cutOff(fallback: "hold" | "lose"): Make {
  return (parameters, name) => {
    if (textOf(parameters, "mode", fallback) === "hold")
      throw unable(name, "it loses bytes (mode=lose) and cannot hold them");
    if (parameters.a !== undefined) throw unable(name, "it knows no sides a and b; aim it at nodes");
    return { toxics: both(parameters, "both", "timeout", { timeout: 0 }) };
  };
}

function both(
  parameters: FaultParameters,
  fallback: string,
  type: string,
  attributes: Record<string, number>,
): Toxic[] {
  const way = textOf(parameters, "direction", fallback);
  return [
    ...(way === "replies" ? [] : [{ type, stream: "upstream" as const, attributes }]),
    ...(way === "requests" ? [] : [{ type, stream: "downstream" as const, attributes }]),
  ];
}

/** The nodes that the targets take in whole. A Toxiproxy server cannot tell clients apart. */
function wholeNodes(
  name: string,
  targets: readonly string[],
  run: { nodes: readonly string[]; clients: number },
): string[] {
  if (targets.length === 0) return [...run.nodes];
  const clients = Array.from({ length: run.clients }, (_, index) => `client:${index + 1}`);
  const isWhole = (node: string) =>
    targets.includes(node) ||
    clients.every((client) => targets.includes(client) || targets.includes(`${client}-${node}`));
  const nodes = run.nodes.filter(isWhole);
  const strange = targets.filter(
    (target) => !nodes.some((node) => target === node || target.endsWith(`-${node}`) || clients.includes(target)),
  );
  if (nodes.length === 0 || strange.length > 0) {
    throw unable(
      name,
      `it cannot tell clients apart, and ${(strange.length > 0 ? strange : targets).join(", ")} does not take in all of them`,
    );
  }
  return nodes;
}

function whole(name: string, parameter: string, value: number, unit: string): number {
  if (Number.isInteger(value)) return value;
  throw unable(name, `${parameter} must be whole ${unit}, not ${value}`);
}

function unable(name: string, why: string): UsageError {
  return new UsageError(
    `A Toxiproxy server cannot do ${name}: ${why}. Leave out --toxiproxy to use the proxy of the harness, which can.`,
  );
}

function noToxiproxy(url: string, why: string): UnavailableError {
  return new UnavailableError(
    `What answers at ${url} is no Toxiproxy server (${why}). Name one, or leave out --toxiproxy.`,
  );
}

const versionSchema = z.object({ version: z.string() });
const proxySchema = z.object({ listen: z.string() });
const toxicName = (id: string, stream: string) => `${id}-${stream}`;
