import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, UnavailableError, UsageError } from "../../errors.ts";
import { packageRoot } from "../../package-root.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import { startFaultProxy } from "../proxy/fault-proxy.ts";
import { ApiError } from "./api-error.ts";
import { toxiproxyApi } from "./http-api.ts";
import { ProxyCollection } from "./proxy-collection.ts";

export interface ProxyServerOptions {
  supervisor?: Supervisor;
  /** Of the API. Default 127.0.0.1. */
  host?: string;
  /** Of the API; 0 takes any free one. Default 8474, as Toxiproxy. */
  port?: number;
  seed?: number;
  /** Path of a JSON file as Toxiproxy's `-config`: an array of proxies. */
  config?: string;
  /** Proxies may listen on other addresses than loopback, as in a container. */
  anyAddress?: boolean;
}

export interface ProxyServer {
  /** Of the API: `http://127.0.0.1:8474`. */
  url: string;
  /** Listen addresses of the proxies of the configuration. */
  proxies: readonly { name: string; listen: string; upstream: string }[];
  /** Resolves if the proxy's process ends unasked. */
  died: Promise<Error>;
  close(): Promise<void>;
}

/**
 * The proxy on its own: speaks the HTTP API of Toxiproxy 2, and takes every network fault of this package as a type of
 * toxic besides. Throws `UsageError` for a bad configuration, `UnavailableError` where it cannot listen.
 */
export async function runProxyServer(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const { supervisor, host = "127.0.0.1", port = 8474, seed = 1, config, anyAddress = false } = options;
  const proxy = await startFaultProxy({ seed, ...(supervisor ? { supervisor } : {}) });
  const died = once(proxy, "died").then(([error]) => error as Error);
  try {
    const collection = new ProxyCollection(proxy, { anyAddress });
    const proxies = config === undefined ? [] : await populate(collection, config);
    const api = toxiproxyApi(collection, { version: apiVersion() });
    await listen(api, host, port);
    const bound = api.address() as { port: number };
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`,
      proxies,
      died,
      async close() {
        api.close();
        api.closeAllConnections();
        await proxy.close();
      },
    };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

async function populate(collection: ProxyCollection, path: string) {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`The configuration ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    return await collection.populate(json);
  } catch (error) {
    if (error instanceof ApiError)
      throw new UsageError(`The configuration ${path}: ${error.message}`, { cause: error });
    throw new UnavailableError(`The proxies of ${path} cannot be started: ${messageOf(error)}`, { cause: error });
  }
}

async function listen(api: ReturnType<typeof toxiproxyApi>, host: string, port: number): Promise<void> {
  try {
    api.listen(port, host);
    await once(api, "listening");
  } catch (error) {
    throw new UnavailableError(
      `The API cannot listen on ${host}:${port}: ${messageOf(error)}. Is a Toxiproxy running? Choose another port.`,
      { cause: error },
    );
  }
}

/** The version of Toxiproxy whose API it is, which clients compare; behind it the package's own. */
function apiVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string };
  return `2.9.0+holdfast.${version}`;
}
