import { once } from "node:events";
import { connect, createServer, type Server, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindSource } from "../../../../../harness/faults/proxy/bind-source.ts";

let server: Server;
let port: number;
const original = Socket.prototype.connect;
beforeAll(async () => {
  server = createServer((socket) => socket.end(String(socket.remoteAddress))).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as { port: number }).port;
  bindSource("client:7");
});
afterAll(() => {
  Socket.prototype.connect = original;
  server.close();
});

async function seenFrom(socket: Socket): Promise<string> {
  const [data] = (await once(socket, "data")) as [Buffer];
  return data.toString();
}

describe("bindSource", () => {
  it("binds connections to loopback, however they are opened", async () => {
    expect(await seenFrom(connect(port, "127.0.0.1"))).toBe("127.0.1.7");
    expect(await seenFrom(connect({ port, host: "127.0.0.1" }))).toBe("127.0.1.7");
    expect(await seenFrom(new Socket().connect(port, "127.0.0.1"))).toBe("127.0.1.7");
    expect(await seenFrom(new Socket().connect({ port, host: "127.0.0.1" }))).toBe("127.0.1.7");
  });

  it("leaves alone a connection that has a local address, or goes elsewhere", async () => {
    expect(await seenFrom(connect({ port, host: "127.0.0.1", localAddress: "127.0.0.9" }))).toBe("127.0.0.9");
    expect(await seenFrom(connect({ port, host: "localhost", family: 4 }))).toBe("127.0.0.1");
  });
});
