import { messageOf } from "../../errors.ts";
import { sharpenTimers } from "./delay/precise-alarm.ts";
import { goFirst } from "./go-first.ts";
import type { ChildMessage, ParentMessage, ProxyAnswer, ProxyRequest } from "./messages.ts";
import { networkFaultNamed } from "./network/registry.ts";
import { ProxyCore } from "./proxy-core.ts";

/** The proxy's process: carries out what its parent asks, and ends with it. */
export function runProxyChild({ seed }: { seed: number }): void {
  sharpenTimers();
  const core = new ProxyCore({ seed, emit: (event) => tell({ type: "event", event }), onFaults: goFirst });
  process.on("message", async ({ number, request }: ParentMessage) => {
    try {
      tell({ type: "answer", number, answer: await carryOut(core, request) });
    } catch (error) {
      tell({ type: "error", number, message: messageOf(error) });
    }
  });
  process.on("disconnect", () => process.exit(0));
  // Ctrl-C reaches the whole process group: the proxy serves until its parent is done.
  process.on("SIGINT", () => {});
  process.on("SIGHUP", () => {});
  tell({ type: "ready" });
}

async function carryOut(core: ProxyCore, request: ProxyRequest): Promise<ProxyAnswer> {
  switch (request.kind) {
    case "add-node":
      return core.addNode(request.node);
    case "remove-node":
      core.removeNode(request.name);
      return { atNs: process.hrtime.bigint() };
    case "redirect":
      core.redirect(request.name, request.to);
      return { atNs: process.hrtime.bigint() };
    case "set-fault": {
      const { name, parameters, links } = request.fault;
      const definition = networkFaultNamed(name);
      if (!definition) throw new Error(`The proxy has no fault named ${name}`);
      return { atNs: await core.setFault(request.id, definition, parameters, links) };
    }
    case "clear-fault":
      return { atNs: await core.clearFault(request.id) };
    case "release":
      return { atNs: core.release(request.id) };
    case "stats":
      return core.stats({ reset: request.reset });
  }
}

function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}
