// The least a proxy in Node can do: two sockets, each written to the other. Argument: the upstream's port. Prints its own.
import { connect, createServer } from "node:net";

const upstreamPort = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ port: upstreamPort, host: "127.0.0.1", noDelay: true });
  client.on("data", (bytes) => upstream.write(bytes));
  upstream.on("data", (bytes) => client.write(bytes));
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ]) {
    from.on("error", () => {});
    from.on("close", () => to.destroy());
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
