import { createServer } from "node:net";

/**
 * May connections come from each of these loopback addresses? Linux and Windows have all of 127/8; macOS and some
 * containers have 127.0.0.1 alone, unless somebody gave them more.
 */
export async function canComeFrom(addresses: readonly string[]): Promise<boolean> {
  for (const address of addresses) if (!(await canListenAt(address))) return false;
  return true;
}

function canListenAt(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port: 0 }, () => server.close(() => resolve(true)));
  });
}
