import { availableParallelism } from "node:os";
import { defaultAgentName, runAgent } from "../../agents/agent.ts";
import { queueName } from "../../agents/messages.ts";
import { commonOptions } from "../../config/common-options.ts";
import { agentQueue } from "../../config/converge-options.ts";
import { option } from "../../config/option.ts";
import { duration, redisUrl, whole, word } from "../../config/value-types.ts";
import { runConverge } from "../../converge/run-converge.ts";
import { findHere } from "../agent-modules.ts";
import { defineCommand } from "../command.ts";
import { openAgentsQueue } from "../load-bullmq.ts";
import { toolFacts } from "../version.ts";

const group = "Agent";

export const command = defineCommand({
  name: "agent",
  summary: "Takes parts of campaigns from a BullMQ queue and runs them; a part whose agent is lost goes to another",
  untilSignal: true,
  options: {
    redis: option({
      group,
      type: redisUrl,
      default: "redis://127.0.0.1:6379",
      summary: "The Redis of the queue, the same as in harness converge --agents",
    }),
    agentQueue,
    name: option({ group, type: word, whenAbsent: "host name and process", summary: "Its name in results" }),
    threads: option({
      group,
      type: whole({ max: 256 }),
      whenAbsent: "one for each core",
      summary: "Threads that run schedules",
    }),
    lease: option({
      group,
      type: duration(),
      default: "30s",
      summary: "An agent that is silent for so long has lost its part; the same for all of them",
    }),
    untilIdle: option({
      group,
      type: duration(),
      whenAbsent: "until a signal",
      summary: "End when there has been nothing to do for so long",
    }),
    config: commonOptions.config,
    printConfig: commonOptions.printConfig,
    quiet: commonOptions.quiet,
  },
  section: "agent",
  examples: [
    { command: "agent --redis redis://127.0.0.1:6379", does: "until Ctrl-C, which gives its part back" },
    { command: "agent --until-idle 5m --threads 2", does: "as a job that ends when there is nothing left to do" },
  ],
  async run({ options: { values } }, io) {
    const { bullmq, connection } = await openAgentsQueue(values.redis);
    await runAgent({
      ...{ bullmq, connection, run: runConverge, signal: io.signal },
      queue: queueName(values.agentQueue, toolFacts()),
      name: values.name ?? defaultAgentName(),
      threads: values.threads ?? availableParallelism(),
      leaseMs: values.lease,
      ...(values.untilIdle === undefined ? {} : { untilIdleMs: values.untilIdle }),
      find: (ref, sha256) => findHere(ref, sha256, io.cwd),
      tell: (line) => (values.quiet ? undefined : io.stderr(`${line}\n`)),
    });
    return 0;
  },
});
