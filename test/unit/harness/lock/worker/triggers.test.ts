import { expect, test } from "vitest";
import { createTriggers } from "../../../../../harness/lock/worker/triggers.ts";

function recorded() {
  const log: string[] = [];
  const triggers = createTriggers(
    (line) => log.push(line.trim()),
    () => log.push("stopped"),
  );
  return { log, triggers };
}

test("tells of the nth event, once", () => {
  const { log, triggers } = recorded();
  triggers.arm([{ faultId: "f1", event: "grant", nth: 2, stopHere: false }]);
  for (const atNs of [1, 2, 3]) triggers.happened("grant", atNs);
  triggers.happened("release", 4);
  expect(log).toEqual(['{"faultId":"f1","event":"grant","atNs":2,"stopsHere":false}']);
});

test("nth 0 tells of every one", () => {
  const { log, triggers } = recorded();
  triggers.arm([{ faultId: "f1", event: "effect", nth: 0, stopHere: false }]);
  for (const atNs of [1, 2]) triggers.happened("effect", atNs);
  expect(log).toHaveLength(2);
});

test("a worker that is to stop at its event tells first and stops then", () => {
  const { log, triggers } = recorded();
  triggers.arm([{ faultId: "f7", event: "grant", nth: 1, stopHere: true }]);
  triggers.happened("grant", 10);
  expect(log).toEqual(['{"faultId":"f7","event":"grant","atNs":10,"stopsHere":true}', "stopped"]);
});

test("counts from the arming on", () => {
  const { log, triggers } = recorded();
  triggers.happened("grant", 1);
  triggers.arm([{ faultId: "f1", event: "grant", nth: 1, stopHere: false }]);
  triggers.happened("grant", 2);
  expect(log).toEqual(['{"faultId":"f1","event":"grant","atNs":2,"stopsHere":false}']);
});
