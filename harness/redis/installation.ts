/** How a Redis was found. It goes into the result. */
export type FoundHow = "flag" | "environment" | "path" | "private copy" | "private copy made now" | "container";

/** A container engine, and the image whose programs it runs. */
export interface RedisContainer {
  /** Path of `docker` or `podman`. */
  engine: string;
  image: string;
  /** `host` shares this machine's loopback; `published` (where the engine runs in a virtual machine) publishes each port. */
  network: "host" | "published";
}

/** Redis programs that can be run here. */
export interface RedisInstallation {
  how: FoundHow;
  /** `7.0.15`. */
  version: string;
  flavour: "redis" | "valkey";
  /** Path of the server's binary; with `--sentinel` it is a sentinel. */
  server: string;
  /** Path of redis-cli, if there is one. */
  cli: string | undefined;
  /** Path of redis-benchmark, if there is one. */
  benchmark: string | undefined;
  /** What the programs need in their environment beyond the usual: the library path of a private copy. */
  env: Readonly<Record<string, string>>;
  /** Present when the paths above are wrappers around a container. */
  container?: RedisContainer;
}
