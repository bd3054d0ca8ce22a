import type { Redis } from "ioredis";

/**
 * Has a client send what it is asked for in one turn of the event loop with one write. That is what auto-pipelining is
 * for, too; but that puts a pipeline and three more promises round each command, which cost more than the writes.
 */
export function batchWrites(client: Redis): void {
  const send = client.sendCommand.bind(client);
  let corked: Redis["stream"] | undefined;

  function uncork(): void {
    corked?.uncork();
    corked = undefined;
  }

  client.sendCommand = (command, stream) => {
    // Before the first connection there is none.
    const connection: Redis["stream"] | undefined = client.stream;
    if (!corked && connection) {
      corked = connection;
      corked.cork();
      // After everything that the replies of this turn have set going.
      process.nextTick(uncork);
    }
    return send(command, stream);
  };
}
