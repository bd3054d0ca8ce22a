import { expect, test } from "vitest";
import { cleanSlate } from "../../../../../harness/lock/worker/clean-slate.ts";

test("clean when no more is open than at the start, of what would go on", async () => {
  let open = ["Timeout", "PipeWrap"];
  const isClean = cleanSlate(() => open);
  open = ["Timeout", "PipeWrap", "PipeWrap", "Immediate"];
  expect(await isClean()).toBe(true);
});

test("a timer or a connection that stays is no clean slate; one that is just closing is", async () => {
  let looks = 0;
  const closing = cleanSlate(() => (looks++ > 0 && looks < 4 ? ["TCPSocketWrap"] : []));
  expect(await closing()).toBe(true);
  let open: string[] = [];
  const isClean = cleanSlate(() => open);
  open = ["Timeout"];
  expect(await isClean()).toBe(false);
});
