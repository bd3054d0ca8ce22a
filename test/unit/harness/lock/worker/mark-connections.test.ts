import { createConnection, createServer, type Server, Socket } from "node:net";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { markConnections } from "../../../../../harness/lock/worker/mark-connections.ts";

const connect = Socket.prototype.connect;
const servers: Server[] = [];

afterEach(async () => {
  Socket.prototype.connect = connect;
  for (const server of servers.splice(0)) server.close();
});

/** A server that tells each client the address it came from, as a RESP status. */
async function mirror(): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write(`+${socket.remoteAddress}\r\n`));
    socket.write("");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

function askFrom(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", (data) => {
      resolve(data.toString().trim());
      socket.destroy();
    });
    socket.write("?");
  });
}

test.runIf(process.platform === "linux")(
  "binds connections to the named ports, whichever way they are made",
  async () => {
    const port = await mirror();
    markConnections({ localAddress: "127.0.1.2", ports: [port] });
    expect(await askFrom(createConnection({ port, host: "127.0.0.1" }))).toBe("+127.0.1.2");
    expect(await askFrom(createConnection(port, "127.0.0.1"))).toBe("+127.0.1.2");
    expect(await askFrom(new Socket().connect(port, "127.0.0.1"))).toBe("+127.0.1.2");
    const client = new Redis({ port, host: "127.0.0.1", enableReadyCheck: false, disableClientInfo: true });
    expect(await client.ping()).toBe("127.0.1.2");
    client.disconnect();
  },
);

test.runIf(process.platform === "linux")("leaves other ports alone", async () => {
  const [bound, free] = [await mirror(), await mirror()];
  markConnections({ localAddress: "127.0.1.2", ports: [bound] });
  expect(await askFrom(createConnection({ port: free, host: "127.0.0.1" }))).toBe("+127.0.0.1");
});

test("leads connections to a port of their own, where addresses cannot tell whose they are", async () => {
  const [shared, own, free] = [await mirror(), await mirror(), await mirror()];
  const remotePort = async (port: number) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    await new Promise((resolve) => socket.once("connect", resolve));
    const { remotePort: reached } = socket;
    socket.destroy();
    return reached;
  };
  markConnections({ ownPorts: { [shared]: own } });
  expect(await remotePort(shared)).toBe(own);
  expect(await remotePort(free)).toBe(free);
  const client = new Redis({ port: shared, host: "127.0.0.1", enableReadyCheck: false, disableClientInfo: true });
  await client.ping();
  expect(client.stream).toMatchObject({ remotePort: own });
  client.disconnect();
});

test("a later mark takes the place of an earlier one", async () => {
  const [shared, first, second] = [await mirror(), await mirror(), await mirror()];
  markConnections({ ownPorts: { [shared]: first } });
  markConnections({ ownPorts: { [first]: second } });
  const socket = createConnection({ port: shared, host: "127.0.0.1" });
  await new Promise((resolve) => socket.once("connect", resolve));
  expect(socket.remotePort).toBe(shared);
  socket.destroy();
});
