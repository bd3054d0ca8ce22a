// The compose files of the topologies, from the same facts as the local ones: how many servers there are and their
// directives. `npx jiti docker/write.ts` writes them; a test holds the stored files against what comes out here.
import { stringify } from "yaml";
import { type TopologyShape, topologies } from "../harness/config/topologies.ts";
import { serverConfig } from "../harness/redis/server-config.ts";
import { PRIMARY_NAME, QUORUM, SETTINGS } from "../harness/redis/topologies/sentinel.ts";

/** The version of the image that servers run. */
export const REDIS_IMAGE = "docker.io/library/redis:7.2";
const PORT = 6379;
/** Where this machine finds `node:1`; the others follow. Sentinels come 100 later. */
const FIRST_PUBLISHED = 7001;

/** The harness writes its results as the user whom their folder belongs to. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Compose
const RESULTS_OWNER = "${HOLDFAST_USER:-1000:1000}";
const RESULTS = {
  ...{ type: "bind", source: "../../harness-results", target: "/work/harness-results" },
  // An engine would make it as root's.
  bind: { create_host_path: false },
};

type Service = Readonly<Record<string, unknown>>;

/** The text of `compose/<topology>.yaml`. */
function composeFile(shape: TopologyShape): string {
  const services: Record<string, Service> = { ...nodes(shape), ...sentinels(shape), harness: harness(shape) };
  return `${head(shape)}${stringify({ name: `holdfast-${shape.name}`, services, networks: { default: {} } }, { lineWidth: 0 })}`;
}

export const composeFiles = (): Record<string, string> =>
  Object.fromEntries(topologies.map((shape) => [`compose/${shape.name}.yaml`, composeFile(shape)]));

const head = ({ name, summary }: TopologyShape): string =>
  `# ${summary}, and the harness beside them. Made by docker/write.ts; change that instead.
#   mkdir -p harness-results && export HOLDFAST_USER="$(id -u):$(id -g)"
#   docker compose -f docker/compose/${name}.yaml up --detach --wait${name === "single" ? "" : " && sleep 1"}
#   docker compose -f docker/compose/${name}.yaml run --rm harness
`;

function nodes({ name, nodes: count }: TopologyShape): Record<string, Service> {
  const replicated = name === "replicated" || name === "sentinel";
  return Object.fromEntries(
    range(count).map((number) => [
      `node-${number}`,
      server({
        sentinel: false,
        published: FIRST_PUBLISHED + number - 1,
        extra: replicated && number > 1 ? { replicaof: `node-1 ${PORT}` } : {},
        ...(replicated && number > 1 ? { after: ["node-1"] } : {}),
        ...(name === "sentinel" ? { announced: `node-${number}` } : {}),
      }),
    ]),
  );
}

function sentinels({ sentinels: count, nodes: nodeCount }: TopologyShape): Record<string, Service> {
  return Object.fromEntries(
    range(count).map((number) => [
      `sentinel-${number}`,
      server({
        sentinel: true,
        published: FIRST_PUBLISHED + 100 + number - 1,
        extra: {
          "sentinel resolve-hostnames": "yes",
          "sentinel announce-hostnames": "yes",
          "sentinel announce-ip": `sentinel-${number}`,
          "sentinel monitor": `${PRIMARY_NAME} node-1 ${PORT} ${QUORUM}`,
          ...Object.fromEntries(
            Object.entries(SETTINGS).map(([key, value]) => [`sentinel ${key}`, `${PRIMARY_NAME} ${value}`]),
          ),
        },
        after: range(nodeCount).map((node) => `node-${node}`),
      }),
    ]),
  );
}

interface ServerFacts {
  sentinel: boolean;
  published: number;
  extra: Readonly<Record<string, string>>;
  after?: readonly string[];
  announced?: string;
}

/** A server with the directives that a local one gets; its file is made in the container, since a sentinel rewrites it. */
function server({ sentinel, published, extra, after = [], announced }: ServerFacts): Service {
  const config = serverConfig({
    ...{ version: "7.2.0", port: PORT, folder: "/data", persistence: "none", sentinel, published: true },
    config: { ...extra, ...(announced === undefined ? {} : { "replica-announce-ip": announced }) },
  });
  const program = `redis-server /data/redis.conf${sentinel ? " --sentinel" : ""}`;
  return {
    image: REDIS_IMAGE,
    // Compose puts a variable where one dollar stands.
    environment: { REDIS_CONF: config.replaceAll("$", "$$$$") },
    entrypoint: ["sh", "-c", `printf '%s' "$$REDIS_CONF" > /data/redis.conf && exec ${program}`],
    init: true,
    user: "redis",
    tmpfs: ["/data:mode=0777"],
    read_only: true,
    ports: [`127.0.0.1:${published}:${PORT}`],
    healthcheck: {
      test: ["CMD", "redis-cli", "-p", String(PORT), "ping"],
      ...{ interval: "1s", timeout: "2s", retries: 30 },
    },
    ...(after.length === 0
      ? {}
      : { depends_on: Object.fromEntries(after.map((name) => [name, { condition: "service_healthy" }])) }),
  };
}

function harness({ clientNodes, nodes: count, sentinels: watchers }: TopologyShape): Service {
  const urls = range(clientNodes).flatMap((node) => ["--redis", `redis://node-${node}:${PORT}`]);
  const lock = clientNodes > 1 ? ["--lock", "redlock"] : [];
  const all = [...range(count).map((node) => `node-${node}`), ...range(watchers).map((node) => `sentinel-${node}`)];
  return {
    image: "holdfast",
    build: { context: "../..", dockerfile: "docker/Dockerfile" },
    command: ["lock", ...urls, ...lock, "--faults", "jitter(base=0.2ms, p99=1.5ms), worker-stop(at=2s, for=3s)"],
    user: RESULTS_OWNER,
    volumes: [RESULTS],
    profiles: ["run"],
    depends_on: Object.fromEntries(all.map((name) => [name, { condition: "service_healthy" }])),
  };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
