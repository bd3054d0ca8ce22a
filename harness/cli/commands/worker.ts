import { hostname } from "node:os";
import { queueName } from "../../agents/messages.ts";
import { commonOptions } from "../../config/common-options.ts";
import { joinToken } from "../../config/lock-options.ts";
import { option } from "../../config/option.ts";
import { address, duration, whole, word } from "../../config/value-types.ts";
import { UsageError } from "../../errors.ts";
import { joinRun } from "../../lock/remote/join.ts";
import { makeOwnedFolder } from "../../supervisor/owned-folder.ts";
import { startSupervisor } from "../../supervisor/parent.ts";
import { defineCommand } from "../command.ts";
import { findSentModule } from "../sent-modules.ts";
import { toolFacts } from "../version.ts";

const group = "Worker";

export const command = defineCommand({
  name: "worker",
  summary: "Joins a lock run of another machine and plays some of its workers here",
  options: {
    join: option({
      group,
      type: address,
      examples: ["10.0.0.1:7070"],
      summary: "Where harness lock --remote-workers waits for hosts",
    }),
    joinToken,
    slots: option({ group, type: whole({ max: 256 }), default: "1", summary: "How many workers to play" }),
    name: option({ group, type: word, whenAbsent: "host name", summary: "Its name in the run's messages" }),
    wait: option({
      group,
      type: duration(),
      default: "30s",
      summary: "How long to try to reach a run that does not wait yet",
    }),
    config: commonOptions.config,
    printConfig: commonOptions.printConfig,
    quiet: commonOptions.quiet,
  },
  section: "worker",
  examples: [
    { command: "worker --join 10.0.0.1:7070 --slots 2", does: "two workers; the token in HARNESS_JOIN_TOKEN" },
    { command: "worker --join 10.0.0.1:7070 --wait 5m", does: "may be started before the run" },
  ],
  async run({ options: { values } }, io) {
    const { join, slots, name, wait, quiet } = values;
    if (join === undefined) throw new UsageError("harness worker needs to know which run: --join HOST:PORT.");
    if (values.joinToken === undefined) {
      throw new UsageError("A run lets in who knows its token: give the one that it printed, in HARNESS_JOIN_TOKEN.");
    }
    const supervisor = await startSupervisor({ runId: `worker-${process.pid}-${Date.now().toString(36)}` });
    try {
      await joinRun({
        ...join,
        ...{ slots, supervisor, signal: io.signal, token: values.joinToken, waitMs: wait },
        build: queueName("build", toolFacts()),
        name: name ?? hostname(),
        folder: makeOwnedFolder(supervisor),
        find: (kind, ref, sent) => findSentModule(kind, ref, sent, io.cwd),
        tell: (line) => (quiet ? undefined : io.stderr(`${line}\n`)),
      });
      return 0;
    } finally {
      await supervisor.close();
    }
  },
});
