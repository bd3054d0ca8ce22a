import { atLeast } from "./version.ts";

/** Directives of a redis.conf by name; several values repeat the directive. A value stands as it would in the file. */
export type Directives = Readonly<Record<string, string | readonly string[]>>;

export interface ServerConfigOptions {
  /** The server's version: some directives came late. */
  version: string;
  port: number;
  folder: string;
  /** `aof`: append-only file, synced every second; survives a kill of the process. */
  persistence: "none" | "aof";
  /** Address that its own connections, to a primary or to the servers a sentinel watches, come from: `127.0.2.1`. */
  sourceAddress?: string | undefined;
  /** Asked of every client, and given to the primary when it is a replica. */
  password?: string | undefined;
  sentinel: boolean;
  /** True in a container whose port is published: inside it, loopback is not this machine's. */
  published: boolean;
  /** More directives; they win over those made here. */
  config: Directives;
}

/** The text of a configuration file for a server of a run: loopback only, nothing on disk unless wanted. */
export function serverConfig(options: ServerConfigOptions): string {
  const directives: Directives = {
    ...listening(options),
    daemonize: "no",
    dir: quoted(options.folder),
    logfile: quoted(""),
    // A title overwrites the environment by which the supervisor knows the processes of its run.
    "set-proc-title": "no",
    ...(options.password === undefined ? {} : { requirepass: quoted(options.password) }),
    ...(options.sentinel ? {} : serving(options)),
    ...options.config,
  };
  return directiveLines(directives);
}

export function directiveLines(directives: Directives): string {
  return Object.entries(directives)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name} ${value}\n`))
    .join("");
}

/** A value with spaces, or none, as redis.conf wants it. */
export function quoted(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function listening({ version, port, sourceAddress, published }: ServerConfigOptions): Directives {
  // Protected mode takes 127.0.0.1 alone for loopback, and would refuse clients that come from 127.0.1.2. Who may
  // connect is settled by `bind`.
  const common = { port: String(port), "protected-mode": "no" };
  if (published) return { ...common, bind: "0.0.0.0" };
  if (sourceAddress === undefined) return { ...common, bind: "127.0.0.1" };
  // Before 7.0, the first address that a server listens on is the one that its own connections come from.
  if (!atLeast(version, "7.0.0")) return { ...common, bind: `${sourceAddress} 127.0.0.1` };
  return { ...common, bind: "127.0.0.1", "bind-source-addr": sourceAddress };
}

function serving({ version, persistence, password }: ServerConfigOptions): Directives {
  return {
    ...(password === undefined ? {} : { masterauth: quoted(password) }),
    save: quoted(""),
    appendonly: persistence === "aof" ? "yes" : "no",
    appendfsync: "everysec",
    ...(atLeast(version, "7.0.0") ? { "enable-debug-command": "local" } : {}),
    // A replica need not wait five seconds for others to come.
    "repl-diskless-sync-delay": "0",
  };
}
