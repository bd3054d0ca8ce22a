import { createServer, type Server, type Socket } from "node:net";
import { messageOf } from "../../errors.ts";

export interface ListenAddress {
  host: string;
  port: number;
}

/** A listener that can refuse connections for a time, as a host without the server does, and come back on its port. */
export class NodeListener {
  address: ListenAddress;
  private server: Server | undefined;
  private wantsToListen = false;
  private hasListened = false;
  private readonly onClient: (client: Socket) => void;

  /** Port 0 takes any free port. */
  constructor(address: ListenAddress, onClient: (client: Socket) => void) {
    this.address = address;
    this.onClient = onClient;
  }

  /** Listens; resolves at once if it does already. If its port was taken while it refused, it tries for some seconds. */
  async listen(): Promise<void> {
    this.wantsToListen = true;
    const giveUpAt = performance.now() + patienceMs;
    while (this.wantsToListen && !this.server) {
      try {
        await this.tryToListen();
      } catch (error) {
        // Its own port may have been lent to someone else for a moment while it was refusing.
        const mayComeBack = this.hasListened && (error as NodeJS.ErrnoException).code === "EADDRINUSE";
        if (!mayComeBack || performance.now() > giveUpAt) {
          throw new Error(`Cannot listen on ${this.address.host}:${this.address.port}: ${messageOf(error)}`, {
            cause: error,
          });
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  /** Takes no more connections: they are refused by the system. Those that are there live on. */
  refuse(): void {
    this.wantsToListen = false;
    this.server?.close();
    this.server = undefined;
  }

  private async tryToListen(): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, this.onClient);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: this.address.host, port: this.address.port, backlog: 1024 }, resolve);
    });
    server.on("error", () => {});
    if (!this.wantsToListen) {
      server.close();
      return;
    }
    const bound = server.address();
    if (bound !== null && typeof bound === "object") this.address = { host: this.address.host, port: bound.port };
    this.server = server;
    this.hasListened = true;
  }
}

const patienceMs = 5_000;
