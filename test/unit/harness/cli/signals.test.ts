import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { watchSignals } from "../../../../harness/cli/signals.ts";

function watched() {
  const target = new EventEmitter();
  const log: string[] = [];
  const watch = watchSignals(target as unknown as NodeJS.Process, {
    tell: (text) => log.push(text),
    exit: (code) => log.push(`exit ${code}`),
  });
  return { target, log, watch };
}

test("the first signal asks for an orderly end", () => {
  const { target, log, watch } = watched();
  watch.onEmergency(() => log.push("killed"));
  target.emit("SIGINT");
  expect(watch.signal.aborted).toBe(true);
  expect(watch.interruptedBy()).toBe("SIGINT");
  expect(log).toEqual(["SIGINT: ending in good order, what was recorded is kept. Once more ends at once."]);
});

test("the second runs what is registered for an emergency, then ends the process", () => {
  const { target, log, watch } = watched();
  watch.onEmergency(() => log.push("killed"));
  const takeBack = watch.onEmergency(() => log.push("never"));
  takeBack();
  target.emit("SIGTERM");
  target.emit("SIGINT");
  expect(log.slice(1)).toEqual(["killed", "exit 130"]);
  expect(watch.interruptedBy()).toBe("SIGTERM");
});

test("once stopped, signals have their usual effect", () => {
  const { target, watch } = watched();
  watch.stop();
  expect(target.listenerCount("SIGINT")).toBe(0);
  expect(watch.signal.aborted).toBe(false);
});
