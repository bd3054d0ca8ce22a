/** The oldest server that the harness works with. */
export const OLDEST_VERSION = "6.2.0";

export interface ServerVersion {
  flavour: "redis" | "valkey";
  /** `7.0.15`. */
  version: string;
}

/** Reads the output of `redis-server --version`: `Redis server v=7.0.15 sha=...`; undefined if it is something else. */
export function parseVersionOutput(output: string): ServerVersion | undefined {
  const [, name, version] = /^\s*(\w+) server v=(\d+\.\d+\.\d+)/m.exec(output) ?? [];
  if (!name || !version) return undefined;
  return { flavour: name.toLowerCase() === "valkey" ? "valkey" : "redis", version };
}

/** The server's version in that of a Debian package: `5:7.0.15-1~deb12u7` gives `7.0.15`. */
export function versionOfPackage(packageVersion: string): string | undefined {
  return /^(?:\d+:)?(\d+\.\d+(?:\.\d+)?)/.exec(packageVersion)?.[1];
}

/** Is `version` at least `least`? Both like `7.0.15`; missing parts count as 0. */
export function atLeast(version: string, least: string): boolean {
  const [a, b] = [parts(version), parts(least)];
  for (let index = 0; index < 3; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function isAccepted(version: string): boolean {
  return atLeast(version, OLDEST_VERSION);
}

function parts(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
