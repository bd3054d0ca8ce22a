import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { composeFiles, REDIS_IMAGE } from "../../../docker/topologies.ts";
import { topologies } from "../../../harness/config/topologies.ts";

const docker = resolve("docker");
const read = (...path: string[]) => readFileSync(join(docker, ...path), "utf8");
const duration = z.string().regex(/^(\d+(us|ms|s|m|h))+$/);
const text = z.string().min(1);

/** The part of the Compose specification that the files use; what is not in it is a mistake. */
const serviceSchema = z.strictObject({
  image: z.string().regex(/^[a-z0-9./-]+(:[\w.-]+)?$/),
  build: z.strictObject({ context: text, dockerfile: text }).optional(),
  command: z.array(text.or(z.literal(""))).optional(),
  entrypoint: z.array(text).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  init: z.boolean().optional(),
  user: text.optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string().regex(/^\/\w+(:mode=0\d{3})?$/)).optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d{4,5}:\d{4,5}$/)).optional(),
  volumes: z
    .array(
      z.strictObject({
        type: z.literal("bind"),
        source: z.string().regex(/^\.[./\w-]*$/),
        target: z.string().regex(/^\/[\w/-]+$/),
        bind: z.strictObject({ create_host_path: z.boolean() }),
      }),
    )
    .optional(),
  profiles: z.array(text).optional(),
  restart: z.enum(["no", "always", "on-failure", "unless-stopped"]).optional(),
  stop_grace_period: duration.optional(),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.literal("CMD")], z.string()),
      interval: duration,
      timeout: duration,
      retries: z.int(),
    })
    .optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal("service_healthy") })).optional(),
});
const composeSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(z.string().regex(/^[a-zA-Z0-9._-]+$/), serviceSchema),
  networks: z.record(z.string(), z.strictObject({})).optional(),
});

const files = readdirSync(join(docker, "compose"));
const compose = (file: string) => composeSchema.parse(parse(read("compose", file)));

test("there is a file for each topology, as it is made from the local one's facts", () => {
  const made = composeFiles();
  expect(Object.keys(made)).toEqual(topologies.map(({ name }) => `compose/${name}.yaml`));
  for (const [name, contents] of Object.entries(made)) {
    // Made anew by: npx jiti docker/write.ts
    expect(read(name)).toBe(contents);
  }
});

describe.each(files)("%s", (file) => {
  const { services } = compose(file);

  test("depends on services that are there and can be healthy, and publishes on loopback only, each port once", () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(new Set(ports).size).toBe(ports.length);
    for (const { depends_on = {} } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services[name]?.healthcheck).toBeDefined();
    }
  });

  test("runs servers as nobody special, with nothing to write on but memory, from an image of a version", () => {
    const servers = Object.values(services).filter(({ image }) => image !== "holdfast");
    expect(servers.length).toBeGreaterThan(0);
    for (const server of servers) {
      expect(server).toMatchObject({ image: REDIS_IMAGE, user: "redis", read_only: true });
      expect(server.tmpfs).toEqual(["/data:mode=0777"]);
    }
  });
});

test("what writes results runs as the owner of their folder, which no engine makes as root's", () => {
  const writers = files.flatMap((file) => Object.values(compose(file).services).filter(({ volumes }) => volumes));
  expect(writers).toHaveLength(files.length);
  for (const { user, volumes } of writers) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Compose
    expect(user).toBe("${HOLDFAST_USER:-1000:1000}");
    expect(volumes).toMatchObject([{ target: "/work/harness-results", bind: { create_host_path: false } }]);
  }
  for (const file of files)
    expect(read("compose", file)).toContain("mkdir -p harness-results && export HOLDFAST_USER=");
});

describe.each(topologies)("$name", ({ name, nodes, sentinels, clientNodes }) => {
  const { services } = compose(`${name}.yaml`);
  const confOf = (service: string) => services[service]?.environment?.REDIS_CONF?.replaceAll("$$", "$") ?? "";

  test("has as many servers as the local one", () => {
    const names = Object.keys(services);
    expect(names.filter((service) => service.startsWith("node-"))).toHaveLength(nodes);
    expect(names.filter((service) => service.startsWith("sentinel-"))).toHaveLength(sentinels);
  });

  test("gives the harness the nodes that a client of the local one is given", () => {
    const command = services.harness?.command ?? [];
    const urls = command.filter((_, index) => command[index - 1] === "--redis");
    expect(urls).toEqual(Array.from({ length: clientNodes }, (_, index) => `redis://node-${index + 1}:6379`));
  });

  test("keeps nothing on disk, and replicas follow node 1", () => {
    for (let number = 1; number <= nodes; number++) {
      expect(confOf(`node-${number}`)).toContain('save ""\nappendonly no\n');
      const follows = /^replicaof node-1 6379$/m.test(confOf(`node-${number}`));
      expect(follows).toBe((name === "replicated" || name === "sentinel") && number > 1);
    }
  });
});

describe("the image", () => {
  const dockerfile = read("Dockerfile");
  const instructions = dockerfile
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = (name: string) => instructions.findLast((line) => line.startsWith(`${name} `));

  test("is built in stages, and ends as a user without rights", () => {
    expect(instructions.filter((line) => line.startsWith("FROM "))).toHaveLength(2);
    expect(last("USER")).toBe("USER node");
    expect(instructions.indexOf(last("USER")!)).toBeLessThan(instructions.indexOf(last("ENTRYPOINT")!));
    expect(dockerfile).toContain("node:20-slim");
    expect(dockerfile).not.toMatch(/:latest|^ADD /m);
  });

  test("hands signals on: tini before the command, both in exec form", () => {
    for (const name of ["ENTRYPOINT", "CMD"]) expect(() => JSON.parse(last(name)!.slice(name.length))).not.toThrow();
    expect(last("ENTRYPOINT")).toBe('ENTRYPOINT ["tini", "--", "harness"]');
  });

  test("has what the build reads, and nothing of what lies about", () => {
    const lines = read("Dockerfile.dockerignore").trim().split("\n");
    expect(lines[0]).toBe("*");
    const kept = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    const { files: packed } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
    const imported = [...readFileSync("build.mjs", "utf8").matchAll(/^import .* from "\.\/([^/"]+)/gm)].map(
      ([, folder]) => folder!,
    );
    expect(imported).toContain("build");
    const wanted = [...packed.filter((file) => file !== "dist"), ...imported, "build.mjs", "package-lock.json"];
    for (const name of wanted) expect(kept).toContain(name);
  });

  test("installs the versions that the tests run with", () => {
    const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const wanted = /ARG WITH="([^"]+)"/.exec(dockerfile)?.[1]?.split(" ") ?? [];
    expect(wanted.length).toBeGreaterThan(0);
    for (const one of wanted) {
      const [name = "", version] = one.split("@");
      expect(version).toBe(devDependencies[name]);
    }
  });
});

describe("the examples", () => {
  test("an Indexed Job runs as many parts as it has pods, and its shell waits for the harness", () => {
    const job = parse(read("examples", "indexed-job.yaml"));
    const [container] = job.spec.template.spec.containers;
    const [script] = container.args as [string];
    expect(job).toMatchObject({ apiVersion: "batch/v1", kind: "Job", spec: { completionMode: "Indexed" } });
    expect(job.spec.parallelism).toBe(job.spec.completions);
    expect(script).toContain(`--shard $((JOB_COMPLETION_INDEX + 1))/${job.spec.completions} `);
    expect(script).toContain("--seed ");
    expect(container.command).toEqual(["tini", "-g", "--", "sh", "-c"]);
    expect(script).toMatch(/^trap : TERM INT; /);
  });

  test("a Deployment of agents takes its URL from a secret", () => {
    const deployment = parse(read("examples", "agents-deployment.yaml"));
    const [container] = deployment.spec.template.spec.containers;
    expect(container.env[0]).toMatchObject({ name: "HARNESS_REDIS", valueFrom: { secretKeyRef: {} } });
    expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels);
  });

  test("a CI matrix runs every part once and merges them all", () => {
    const workflow = parse(read("examples", "github-shards.yml"));
    const { part, whole } = workflow.jobs;
    const numbers: number[] = part.strategy.matrix.shard;
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const run = part.steps.find(({ run = "" }) => run.includes("converge")).run as string;
    expect(run).toContain(`--shard \${{ matrix.shard }}/${numbers.length}`);
    expect(whole.needs).toBe("part");
  });
});
