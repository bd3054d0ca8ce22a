import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { UnavailableError, UsageError } from "../../harness/errors.ts";
import { findRedis } from "../../harness/redis/find.ts";
import { freePort } from "../../harness/redis/free-port.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";
import { deleteOwnKeys } from "../../harness/redis/own-keys.ts";
import { type RedisServer, type RedisServerOptions, startRedisServer } from "../../harness/redis/server.ts";
import { connectExternal } from "../../harness/redis/topologies/external.ts";
import { makeOwnedFolder } from "../../harness/supervisor/owned-folder.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

const keyPrefix = "holdfast:test-run:";
let redis: RedisInstallation;
let supervisor: Supervisor;
let folder: string;
let servers = 0;

beforeAll(async () => {
  supervisor = await startSupervisor({ runId: `test-${randomBytes(4).toString("hex")}` });
  folder = makeOwnedFolder(supervisor);
  redis = await findRedis();
});
afterAll(() => supervisor.close());

/** A server that belongs to somebody else, as far as the run is concerned. */
async function foreign(
  config: RedisServerOptions["config"] = {},
  rest: Partial<RedisServerOptions> = {},
): Promise<RedisServer> {
  const server = await startRedisServer({ redis, supervisor, folder, name: `foreign:${++servers}`, config, ...rest });
  onTestFinished(() => server.stop());
  return server;
}

async function connect(...urls: string[]) {
  const topology = await connectExternal({ urls, keyPrefix, connectTimeoutMs: 2_000 });
  onTestFinished(() => topology.stop());
  return topology;
}

async function failure(...urls: string[]): Promise<Error> {
  return connect(...urls).then(
    () => expect.fail("it was connected"),
    (error) => error,
  );
}

describe("a server of somebody else", () => {
  it("keeps every foreign key; its own are removed at each reset and at the end", async () => {
    const server = await foreign();
    // The second looks like the prefix to a careless pattern.
    const others = ["theirs", "holdfast:test?run:x", "holdfast:test-run", "xholdfast:test-run:"];
    for (const key of others) await server.admin.set(key, "theirs");
    const topology = await connect(`redis://127.0.0.1:${server.port}`);
    const [node] = topology.nodes;
    expect(node).toMatchObject({ name: "node:1", owned: false, version: server.version });
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 2_500; index++) await node!.admin.set(`${keyPrefix}${index}`, "ours");
      await topology.reset();
      expect((await server.admin.keys("*")).sort()).toEqual([...others].sort());
    }
    await node!.admin.set(`${keyPrefix}last`, "ours");
    await topology.stop();
    expect((await server.admin.keys("*")).sort()).toEqual([...others].sort());
    await expect(node!.pause()).rejects.toThrow("not a server of this run");
  });

  it("is used in its own database, the others are left alone", async () => {
    const server = await foreign();
    const three = new Redis({ host: server.host, port: server.port, db: 3 });
    onTestFinished(() => three.disconnect());
    await server.admin.set(`${keyPrefix}in-zero`, "x");
    await three.set(`${keyPrefix}in-three`, "x");
    const topology = await connect(`redis://127.0.0.1:${server.port}/3`);
    await topology.reset();
    expect(await three.dbsize()).toBe(0);
    expect(await server.admin.dbsize()).toBe(1);
    expect(topology.nodes[0]?.address.db).toBe(3);
  });

  it("is reached with a password, as an ACL user, and through a unix socket", async () => {
    const socket = join(folder, "s.sock");
    const server = await foreign({ unixsocket: socket }, { password: "pa ss" });
    await server.admin.call("ACL", "SETUSER", "ann", "on", ">s@cret", "~holdfast:*", "+@all", "-@dangerous");
    const port = server.port;
    expect((await connect(`redis://:pa%20ss@127.0.0.1:${port}`)).nodes[0]?.version).toBe(server.version);
    // INFO is a dangerous command: ann may not ask for the version.
    const asAnn = await connect(`redis://ann:s%40cret@127.0.0.1:${port}`);
    expect(asAnn.nodes[0]?.version).toBe("unknown");
    await asAnn.nodes[0]?.admin.set(`${keyPrefix}1`, "x");
    await asAnn.reset();
    const bySocket = await connect(`unix://:pa%20ss@${socket}?db=1`);
    expect(bySocket.nodes[0]?.direct).toMatchObject({ path: socket, db: 1 });
    expect(await bySocket.nodes[0]?.admin.client("INFO")).toContain(`laddr=${socket}:0`);
  });

  it("is behind the network that is given, a unix socket too", async () => {
    const server = await foreign({ unixsocket: join(folder, "n.sock") });
    const asked: unknown[] = [];
    const network = {
      sourceAddress: () => "127.0.2.1",
      async addNode(node: unknown) {
        asked.push(node);
        return { host: "127.0.0.1", port: 7 };
      },
    };
    const urls = [`redis://127.0.0.1:${server.port}/2`, `unix://${join(folder, "n.sock")}`];
    const topology = await connectExternal({ urls, keyPrefix, network });
    onTestFinished(() => topology.stop());
    expect(asked).toEqual([
      { name: "node:1", upstream: { host: "127.0.0.1", port: server.port } },
      { name: "node:2", upstream: { path: join(folder, "n.sock") } },
    ]);
    expect(topology.clientNodes.map(({ address }) => address)).toEqual([
      { host: "127.0.0.1", port: 7, db: 2 },
      { host: "127.0.0.1", port: 7, db: 0 },
    ]);
  });

  it.runIf(hasOpenssl())("is reached over TLS when its authority is known, and refused when it is not", async () => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert, ...subject],
      {
        stdio: "ignore",
      },
    );
    const port = await freePort();
    await foreign({
      "tls-port": String(port),
      "tls-cert-file": cert,
      "tls-key-file": key,
      "tls-ca-cert-file": cert,
      "tls-auth-clients": "no",
    });
    const url = `rediss://127.0.0.1:${port}`;
    expect((await failure(url)).message).toMatch(/self-signed certificate.*NODE_EXTRA_CA_CERTS/);
    const fixture = join(import.meta.dirname, "../fixtures/redis/external.ts");
    const output = execFileSync(process.execPath, ["--import", "jiti/register", fixture, url], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: cert },
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toMatchObject({ version: expect.stringMatching(/^\d/), address: { tls: true, port } });
  });
});

describe("a server that cannot be used", () => {
  it("is refused with the reason and without the password", async () => {
    const closed = await foreign({ databases: "2" }, { password: "right" });
    const port = closed.port;
    const cases: [string, RegExp][] = [
      [`redis://127.0.0.1:${port}`, /NOAUTH.*redis:\/\/:PASSWORD@/],
      [`redis://:hunter2@127.0.0.1:${port}`, /WRONGPASS/],
      [`redis://:right@127.0.0.1:${port}/9`, /it has no database 9/],
      ["redis://:hunter2@127.0.0.1:1", /nothing listens there \(.*ECONNREFUSED/],
      ["unix://:hunter2@/nowhere/redis.sock", /nothing listens there \(.*ENOENT/],
    ];
    for (const [url, reason] of cases) {
      const error = await failure(url);
      expect(error, url).toBeInstanceOf(UnavailableError);
      expect(error.message).toMatch(reason);
      expect(error.message).not.toMatch(/hunter2|right@/);
    }
  });

  it("is a replica, or part of a cluster", async () => {
    const [primary, replica, member] = await Promise.all([foreign(), foreign(), foreign({ "cluster-enabled": "yes" })]);
    await replica.admin.replicaof(primary.host, primary.port);
    expect((await failure(`redis://127.0.0.1:${replica.port}`)).message).toContain("it is a replica");
    expect((await failure(`redis://127.0.0.1:${member.port}`)).message).toContain("Redis Cluster");
  });

  it("answers nothing: the time to connect is limited", async () => {
    const silent = await listening(createServer(() => {}));
    expect((await failure(`redis://127.0.0.1:${silent}`)).message).toContain("no answer within 2 s");
  });

  it("is named twice", async () => {
    const error = await failure("redis://127.0.0.1:7000/1", "redis://:x@127.0.0.1:7000/2");
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain("redis://:***@127.0.0.1:7000/2 twice");
  });
});

describe("deleteOwnKeys", () => {
  it("takes a prefix as it is written, and refuses one that could be anybody's", async () => {
    const server = await foreign();
    await server.admin.mset("a*[b]:1", "x", "axxb:1", "x", "a*[b]:2", "x");
    expect(await deleteOwnKeys(server.admin, "a*[b]:")).toBe(2);
    expect(await server.admin.keys("*")).toEqual(["axxb:1"]);
    await expect(deleteOwnKeys(server.admin, "")).rejects.toThrow("too short");
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", port: 0 }, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}
