import { badRequest } from "./api-error.ts";

/** `host:port`, `[::1]:port` or `:port` in its parts. Throws `ApiError` 400. */
export function parseAddress(text: string, defaultHost = "127.0.0.1"): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(text.trim()) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) throw badRequest(`"${text}" is no address; write host:port`);
  return { host: bracketed ?? (plain || defaultHost), port };
}

/** The address to listen on. Other addresses than loopback only where that is allowed. */
export function parseListenAddress(
  text: string,
  { anyAddress }: { anyAddress: boolean },
): { host: string; port: number } {
  if (text.trim() === "") return { host: anyAddress ? "0.0.0.0" : "127.0.0.1", port: 0 };
  const { host, port } = parseAddress(text, anyAddress ? "0.0.0.0" : "127.0.0.1");
  const loopback = host === "localhost" ? "127.0.0.1" : host;
  if (!anyAddress && !/^127\.\d+\.\d+\.\d+$/.test(loopback) && loopback !== "::1") {
    throw badRequest(`listen address "${text}" is not loopback; this server listens on loopback addresses only`);
  }
  return { host: loopback, port };
}

export const formatAddress = ({ host, port }: { host: string; port: number }): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
