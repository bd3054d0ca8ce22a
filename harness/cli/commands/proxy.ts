import { commonOptions } from "../../config/common-options.ts";
import { absolutePath } from "../../config/config-file.ts";
import { flag, option } from "../../config/option.ts";
import { seed, text, whole } from "../../config/value-types.ts";
import { runProxyServer } from "../../faults/toxiproxy-api/run-proxy-server.ts";
import { startSupervisor } from "../../supervisor/parent.ts";
import { defineCommand } from "../command.ts";

const group = "Proxy";

export const command = defineCommand({
  name: "proxy",
  summary: "The fault proxy alone: forwards TCP, understands Redis, and speaks the HTTP API of Toxiproxy 2",
  untilSignal: true,
  options: {
    host: option({ group, type: text("HOST"), default: "127.0.0.1", summary: "Address of the API" }),
    port: option({
      group,
      type: whole({ min: 0, max: 65_535 }),
      default: "8474",
      summary: "Port of the API; 0 takes any that is free",
    }),
    proxies: option({ group, type: text("FILE"), summary: "Proxies to start with, as Toxiproxy's -config takes them" }),
    seed: option({ group, type: seed, default: "1", summary: "Seed of everything random in the faults" }),
    anyAddress: flag({ group, summary: "Proxies may listen on other addresses than loopback, as in a container" }),
    quiet: commonOptions.quiet,
  },
  examples: [
    { command: "proxy", does: "on port 8474, where clients of Toxiproxy look for it" },
    { command: "proxy --host 127.0.0.1 --seed 7", does: "with random delays that can be had again" },
  ],
  async run({ options: { values } }, io) {
    const supervisor = await startSupervisor({ runId: `proxy-${process.pid}` });
    try {
      const { host, port, seed: chosen, anyAddress } = values;
      const config = values.proxies === undefined ? {} : { config: absolutePath(io.cwd, values.proxies) };
      const server = await runProxyServer({ supervisor, host, port, seed: chosen, anyAddress, ...config });
      io.stdout(`${server.url}\n`);
      for (const { name, listen, upstream } of server.proxies) io.stdout(`${name}  ${listen} -> ${upstream}\n`);
      if (!values.quiet) io.stderr("Listening. Ctrl-C ends it.\n");
      const died = await Promise.race([server.died, aborted(io.signal)]);
      await server.close();
      if (died) throw died;
      return 0;
    } finally {
      await supervisor.close();
    }
  },
});

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
