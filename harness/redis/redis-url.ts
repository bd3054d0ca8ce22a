import type { LockNode } from "../contracts/lock-adapter.ts";
import { UsageError } from "../errors.ts";

/** Where a Redis server is and how to log in. With `path` it is a unix socket, and host and port only stand for it. */
export type NodeAddress = Omit<LockNode, "localAddress"> & { path?: string };

const SCHEMES = "redis://host:port/db, rediss://host:port/db (TLS) or unix:///path/to/socket?db=0";
const DEFAULT_PORT = 6379;

/**
 * Reads the address of a server: `redis://user:password@host:6379/3`, `rediss://`, `unix:///path?db=3`, `valkey://`.
 * Special characters in user and password are percent-encoded.
 * @throws UsageError without the password in it
 */
export function parseRedisUrl(text: string): NodeAddress {
  const refuse = (why: string) =>
    new UsageError(`--redis ${redactRedisUrl(text)}: ${why}. It is written as ${SCHEMES}.`, { code: "BAD_REDIS_URL" });
  const [, scheme = "", rest = ""] = /^([a-z+]+):\/\/(.*)$/is.exec(text.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "redis":
    case "valkey":
      return parseTcp(rest, false, refuse);
    case "rediss":
    case "valkeys":
      return parseTcp(rest, true, refuse);
    case "unix":
    case "redis+unix":
      return parseSocket(rest, refuse);
    case "":
      throw refuse(`it names no scheme; write redis://${redactRedisUrl(text.trim())}`);
    default:
      throw refuse(`${scheme}:// is not a scheme of Redis`);
  }
}

/** A server's address fit for eyes, logs and reports: no password, whatever the text is. */
export function redactRedisUrl(text: string): string {
  return text
    .replace(/^([a-z+]+:\/\/)?(.*)@/is, (_, scheme = "", login: string) => {
      const user = login.includes(":") ? login.slice(0, login.indexOf(":")) : undefined;
      // Without a colon, it may as well be a password.
      return `${scheme}${user === undefined ? "" : `${user}:`}***@`;
    })
    .replace(/([?&](?:password|pass|auth|token|secret)=)[^&#]*/gi, "$1***");
}

/** How an address is shown: `redis://user:***@host:6379/3`. */
export function printableAddress({ host, port, path, tls, username, password, db }: NodeAddress): string {
  const login = password === undefined ? "" : `${username ?? ""}:***@`;
  if (path !== undefined) return `unix://${login}${path}${db === 0 ? "" : `?db=${db}`}`;
  return `${tls ? "rediss" : "redis"}://${login}${host.includes(":") ? `[${host}]` : host}:${port}${db === 0 ? "" : `/${db}`}`;
}

type Refuse = (why: string) => UsageError;

function parseTcp(rest: string, tls: boolean, refuse: Refuse): NodeAddress {
  let url: URL;
  try {
    url = new URL(`redis://${rest}`);
  } catch {
    throw refuse("it is no valid address (special characters in a password must be percent-encoded: %40 for @)");
  }
  if (url.hash) throw refuse("# must be written as %23 in a password, and means nothing elsewhere");
  if (url.hostname === "") throw refuse("it names no host");
  if (url.port === "0") throw refuse("0 is not a port");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? DEFAULT_PORT : Number(url.port),
    ...(tls ? { tls } : {}),
    ...login(url.username, url.password, refuse),
    db: database(url.pathname.replace(/^\//, ""), url.searchParams, refuse),
  };
}

function parseSocket(rest: string, refuse: Refuse): NodeAddress {
  const [, credentials, path = "", query = ""] = /^(?:([^/]*)@)?([^?]*)(?:\?(.*))?$/s.exec(rest) ?? [];
  if (!path.startsWith("/")) throw refuse("the path of a socket starts with /");
  const [username = "", ...password] = (credentials ?? "").split(":");
  return {
    host: "localhost",
    port: 0,
    path: decode(path, refuse),
    ...login(username, password.join(":"), refuse),
    db: database("", new URLSearchParams(query), refuse),
  };
}

function login(username: string, password: string, refuse: Refuse): Pick<NodeAddress, "username" | "password"> {
  if (username === "" && password === "") return {};
  if (password === "") throw refuse("it names a user without a password; a password alone is written :password@");
  const decoded = { password: decode(password, refuse) };
  return username === "" ? decoded : { username: decode(username, refuse), ...decoded };
}

function database(path: string, query: URLSearchParams, refuse: Refuse): number {
  const unknown = [...query.keys()].find((key) => key !== "db");
  if (unknown !== undefined) throw refuse(`?${unknown} is not known; only ?db is`);
  const text = query.get("db") ?? path;
  if (text === "") return 0;
  if (!/^\d{1,6}$/.test(text)) throw refuse(`the database is a number, not "${text}"`);
  return Number(text);
}

function decode(text: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse("a % that is none of a percent-encoding must be written as %25");
  }
}
