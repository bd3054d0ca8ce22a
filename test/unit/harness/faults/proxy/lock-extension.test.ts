import { expect, test } from "vitest";
import { extensionRecognizer } from "../../../../../harness/faults/proxy/lock-extension.ts";
import { encodeRequest } from "../../../../../harness/faults/proxy/resp/arguments.ts";
import { Command } from "../../../../../harness/faults/proxy/resp/command.ts";
import { KnownScripts } from "../../../../../harness/faults/proxy/resp/scripts.ts";

const TOKEN = "5f9a1c0e-77";
const EXTEND = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) end return 0";
const EXTEND_BY_SET = 'if redis.call("get",KEYS[1])==ARGV[1] then redis.call("set",KEYS[1],ARGV[1],"PX",ARGV[2]) end';
const ACQUIRE_BY_SCRIPT = 'return redis.call("set",KEYS[1],ARGV[1],"NX","PX",ARGV[2])';
const RELEASE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0";

/** Which of these commands, one after the other, renew a lock. */
function renewals(...sent: readonly { words: string[]; source?: string; node?: string }[]): boolean[] {
  const isExtension = extensionRecognizer();
  const scripts = new KnownScripts();
  return sent.map(({ words, source = "client:1", node = "node:1" }) => {
    const frame = Buffer.from(encodeRequest(words));
    return isExtension({ source, node }, new Command(frame, scripts));
  });
}
const acquire = { words: ["SET", "lock:a", TOKEN, "PX", "1000", "NX"] };
const evaluate = (script: string, token = TOKEN) => ({ words: ["EVAL", script, "1", "lock:a", token, "1000"] });

test.each([
  ["a script that sets the time to live", evaluate(EXTEND)],
  ["a script that sets the key anew", evaluate(EXTEND_BY_SET)],
  ["SET with XX", { words: ["SET", "lock:a", TOKEN, "PX", "1000", "XX"] }],
  ["a bare PEXPIRE", { words: ["PEXPIRE", "lock:a", "1000"] }],
])("%s renews what the client took before", (_, command) => {
  expect(renewals(acquire, command)).toEqual([false, true]);
});

test.each([
  ["the release", evaluate(RELEASE)],
  ["another try to take it, with the same token", acquire],
  ["a script that takes it, with the same token", evaluate(ACQUIRE_BY_SCRIPT)],
  ["somebody else's token", evaluate(EXTEND, "another-token")],
])("%s does not", (_, command) => {
  expect(renewals(acquire, command)).toEqual([false, false]);
});

test("the second command of an acquire in two is none, and neither is one of another client", () => {
  const setnx = { words: ["SETNX", "lock:a", TOKEN] };
  expect(renewals(setnx, { words: ["PEXPIRE", "lock:a", "1000"] })).toEqual([false, false]);
  expect(renewals(acquire, { ...evaluate(EXTEND), source: "client:2" })).toEqual([false, false]);
});

test("of a renewal on five nodes one counts", () => {
  const nodes = ["node:1", "node:2", "node:3", "node:4", "node:5"];
  const everywhere = (command: { words: string[] }) => nodes.map((node) => ({ ...command, node }));
  const seen = renewals(...everywhere(acquire), ...everywhere(evaluate(EXTEND)));
  expect(seen.filter(Boolean)).toHaveLength(1);
});
