import { z } from "zod";
import type { FaultSetting, NodeSpec } from "../proxy/messages.ts";
import { formatAddress, parseAddress, parseListenAddress } from "./address.ts";
import {
  badRequest,
  invalidStream,
  invalidToxicType,
  missingField,
  proxyExists,
  proxyNotFound,
  toxicExists,
  toxicNotFound,
} from "./api-error.ts";
import { type Attributes, type Stream, type ToxicType, toxicTypeNamed } from "./toxic-types.ts";

/** The part of the fault proxy that the API drives. */
export interface ProxyDriver {
  addNode(node: NodeSpec): Promise<{ host: string; port: number }>;
  removeNode(name: string): Promise<void>;
  setFaultOn(id: string, fault: FaultSetting): Promise<unknown>;
  clearFault(id: string): Promise<unknown>;
}

export interface ToxicView {
  name: string;
  type: string;
  stream: Stream;
  toxicity: number;
  attributes: Attributes;
}

export interface ProxyView {
  name: string;
  listen: string;
  upstream: string;
  enabled: boolean;
  toxics: ToxicView[];
}

interface Toxic extends ToxicView {
  kind: ToxicType;
}

interface Proxy extends Omit<ProxyView, "toxics"> {
  toxics: Map<string, Toxic>;
}

/** The proxies and toxics of the API, and their counterparts in the fault proxy. Changes go one after the other. */
export class ProxyCollection {
  private readonly proxies = new Map<string, Proxy>();
  private readonly driver: ProxyDriver;
  private readonly policy: { anyAddress: boolean };

  constructor(driver: ProxyDriver, { anyAddress = false }: { anyAddress?: boolean } = {}) {
    this.driver = driver;
    this.policy = { anyAddress };
  }

  list(): ProxyView[] {
    return [...this.proxies.values()].map(view);
  }

  show(name: string): ProxyView {
    return view(this.get(name));
  }

  async create(body: unknown): Promise<ProxyView> {
    const input = parse(proxySchema, body);
    requireFields(input);
    if (this.proxies.has(input.name)) throw proxyExists();
    return view(await this.add(input));
  }

  /** Creates what is missing, replaces what differs. */
  async populate(body: unknown): Promise<ProxyView[]> {
    const inputs = parse(z.array(proxySchema), body);
    for (const [index, input] of inputs.entries()) requireFields(input, ` at proxy ${index + 1}`);
    const views: ProxyView[] = [];
    for (const input of inputs) {
      const before = this.proxies.get(input.name);
      if (before && before.listen === input.listen && before.upstream === input.upstream) {
        views.push(view(before));
        continue;
      }
      if (before) await this.remove(input.name);
      views.push(view(await this.add(input)));
    }
    return views;
  }

  async update(name: string, body: unknown): Promise<ProxyView> {
    const proxy = this.get(name);
    const { listen = proxy.listen, upstream = proxy.upstream, enabled = proxy.enabled } = parse(updateSchema, body);
    parseListenAddress(listen, this.policy);
    parseAddress(upstream);
    if (listen !== proxy.listen || upstream !== proxy.upstream) {
      await this.stop(proxy);
      proxy.listen = listen;
      proxy.upstream = upstream;
    }
    if (enabled) await this.start(proxy);
    else await this.stop(proxy);
    return view(proxy);
  }

  async remove(name: string): Promise<void> {
    const proxy = this.get(name);
    for (const toxic of [...proxy.toxics.keys()]) await this.removeToxic(name, toxic);
    await this.stop(proxy);
    this.proxies.delete(name);
  }

  /** Enables every proxy and removes every toxic. */
  async reset(): Promise<void> {
    for (const proxy of this.proxies.values()) {
      await this.start(proxy);
      for (const toxic of [...proxy.toxics.keys()]) await this.removeToxic(proxy.name, toxic);
    }
  }

  listToxics(name: string): ToxicView[] {
    return view(this.get(name)).toxics;
  }

  showToxic(name: string, toxicName: string): ToxicView {
    return viewToxic(this.getToxic(name, toxicName));
  }

  async createToxic(name: string, body: unknown): Promise<ToxicView> {
    const proxy = this.get(name);
    const { type, stream = "downstream", toxicity = 1, attributes, name: given } = parse(toxicSchema, body);
    if (stream !== "upstream" && stream !== "downstream") throw invalidStream();
    const kind = toxicTypeNamed(type);
    if (!kind) throw invalidToxicType();
    const toxicName = given || `${type}_${stream}`;
    if (proxy.toxics.has(toxicName)) throw toxicExists();
    const toxic: Toxic = { name: toxicName, type, stream, toxicity, attributes: kind.read(attributes), kind };
    await this.apply(proxy, toxic);
    proxy.toxics.set(toxicName, toxic);
    return viewToxic(toxic);
  }

  async updateToxic(name: string, toxicName: string, body: unknown): Promise<ToxicView> {
    const proxy = this.get(name);
    const toxic = this.getToxic(name, toxicName);
    const { toxicity = toxic.toxicity, attributes } = parse(toxicUpdateSchema, body);
    const changed = { ...toxic, toxicity, attributes: toxic.kind.read(attributes, toxic.attributes) };
    await this.apply(proxy, changed);
    proxy.toxics.set(toxicName, changed);
    return viewToxic(changed);
  }

  async removeToxic(name: string, toxicName: string): Promise<void> {
    this.getToxic(name, toxicName);
    await this.driver.clearFault(faultId(name, toxicName));
    this.proxies.get(name)?.toxics.delete(toxicName);
  }

  private get(name: string): Proxy {
    const proxy = this.proxies.get(name);
    if (!proxy) throw proxyNotFound();
    return proxy;
  }

  private getToxic(name: string, toxicName: string): Toxic {
    const toxic = this.get(name).toxics.get(toxicName);
    if (!toxic) throw toxicNotFound();
    return toxic;
  }

  private async add({ name, listen, upstream, enabled }: z.infer<typeof proxySchema>): Promise<Proxy> {
    parseListenAddress(listen, this.policy);
    parseAddress(upstream);
    const proxy: Proxy = { name, listen, upstream, enabled: false, toxics: new Map() };
    if (enabled) await this.start(proxy);
    this.proxies.set(name, proxy);
    return proxy;
  }

  private async start(proxy: Proxy): Promise<void> {
    if (proxy.enabled) return;
    const listen = parseListenAddress(proxy.listen, this.policy);
    const address = await this.driver.addNode({ name: proxy.name, upstream: parseAddress(proxy.upstream), listen });
    proxy.listen = formatAddress(address);
    proxy.enabled = true;
  }

  private async stop(proxy: Proxy): Promise<void> {
    if (!proxy.enabled) return;
    await this.driver.removeNode(proxy.name);
    proxy.enabled = false;
  }

  private async apply(proxy: Proxy, toxic: Toxic): Promise<void> {
    const fault = toxic.kind.fault(toxic.attributes, toxic.stream, toxic.toxicity);
    await this.driver.setFaultOn(faultId(proxy.name, toxic.name), { ...fault, links: [{ node: proxy.name }] });
  }
}

const proxySchema = z.object({
  name: z.string().default(""),
  listen: z.string().default(""),
  upstream: z.string().default(""),
  enabled: z.boolean().default(true),
});
const updateSchema = z.object({
  listen: z.string().optional(),
  upstream: z.string().optional(),
  enabled: z.boolean().optional(),
});
const toxicSchema = z.object({
  name: z.string().optional(),
  type: z.string().default(""),
  stream: z.string().optional(),
  toxicity: z.number().min(0).max(1).optional(),
  attributes: z.unknown().optional(),
});
const toxicUpdateSchema = z.object({
  toxicity: z.number().min(0).max(1).optional(),
  attributes: z.unknown().optional(),
});

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body);
  if (!read.success) throw badRequest(z.prettifyError(read.error));
  return read.data;
}

function requireFields({ name, upstream }: { name: string; upstream: string }, where = ""): void {
  if (name === "") throw missingField(`name${where}`);
  if (upstream === "") throw missingField(`upstream${where}`);
}

const faultId = (proxy: string, toxic: string) => `${proxy}/${toxic}`;

const viewToxic = ({ name, type, stream, toxicity, attributes }: Toxic): ToxicView => ({
  name,
  type,
  stream,
  toxicity,
  attributes,
});

/** Toxics of the upstream come first, as in Toxiproxy's chains. */
function view({ name, listen, upstream, enabled, toxics }: Proxy): ProxyView {
  const all = [...toxics.values()].map(viewToxic);
  const ordered = [
    ...all.filter(({ stream }) => stream === "upstream"),
    ...all.filter(({ stream }) => stream === "downstream"),
  ];
  return { name, listen, upstream, enabled, toxics: ordered };
}
