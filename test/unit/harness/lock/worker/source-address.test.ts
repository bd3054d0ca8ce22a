import { createConnection, createServer, type Server, Socket } from "node:net";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { bindSourceAddress } from "../../../../../harness/lock/worker/source-address.ts";

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
    bindSourceAddress({ localAddress: "127.0.1.2", ports: [port] });
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
  bindSourceAddress({ localAddress: "127.0.1.2", ports: [bound] });
  expect(await askFrom(createConnection({ port: free, host: "127.0.0.1" }))).toBe("+127.0.0.1");
});
