import { expect, test } from "vitest";
import { refuseImpossible } from "../../../../harness/config/impossible.ts";
import { lockOptions } from "../../../../harness/config/lock-options.ts";
import { fromFlags, resolveOptions } from "../../../../harness/config/resolve.ts";
import { UsageError } from "../../../../harness/errors.ts";

const check = (flags: Readonly<Record<string, readonly string[]>>) => {
  const { values, origins } = resolveOptions(lockOptions, [fromFlags(flags)]);
  refuseImpossible(values, origins);
};

test.each([
  [{ redis: ["redis://h"], redisBin: ["/x"] }, "give one of the two"],
  [{ remoteWorkers: ["5"] }, "raise --workers 4"],
  [{ joinPort: ["7070"] }, "--join-port is about hosts that join: add --remote-workers."],
  [{ remoteWorkers: ["1"], rate: ["max"] }, "leave out --remote-workers"],
  [{ remoteWorkers: ["1"], redis: ["rediss://h"] }, "use a server without TLS"],
  [{ runtime: ["docker"], redis: ["redis://h"] }, "--redis names servers that run already"],
  [{ runtime: ["docker"], redisBin: ["/x"] }, "--redis-bin names a program of this machine"],
  [{ redis: ["redis://h"], topology: ["single"] }, "give one of the two"],
  [{ allowFaultsOnExternal: ["true"] }, "there is none"],
  [{ commandTimeout: ["15s"] }, "--command-timeout 15s is no shorter than the TTL of 15s"],
  [{ duration: ["1s"], rounds: ["10"] }, "The shortest --duration for them is 2s."],
  [{ duration: ["140h"], rate: ["max"] }, ""],
  [{ duration: ["140h"] }, "These are 10,080,000 jobs an arm"],
  [{ rate: ["max"], faults: ["article"] }, "--rate max measures cost only and runs without faults"],
  [{ rate: ["max"], keys: ["3"] }, "leave out --keys"],
  [{ lock: ["none"] }, "--lock none is a control"],
  [{ lock: ["none-literal"] }, "--lock none-literal is a control"],
  [{ queueOn: ["lock"], topology: ["redlock"] }, "leave out --queue-on"],
  [{ toxiproxy: ["foo"] }, '"foo" is no address'],
  [{ lock: ["set-nx", "set-nx"] }, "--lock set-nx is given twice"],
])("%j", (flags, message) => {
  if (message === "") check(flags);
  else {
    expect(() => check(flags)).toThrow(message);
    expect(() => check(flags)).toThrow(UsageError);
  }
});

test("what is possible passes", () => {
  check({});
  check({ rate: ["max"], faults: ["none"] });
  check({ rate: ["max"], lock: ["none"] });
  check({ queue: ["bullmq"] });
  check({ redis: ["redis://h"], allowFaultsOnExternal: ["true"] });
  // The article's three days are the longest that one run takes.
  check({ duration: ["72h"] });
});
