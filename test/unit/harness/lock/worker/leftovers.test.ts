import { expect, test } from "vitest";
import { watchLeftovers } from "../../../../../harness/lock/worker/leftovers.ts";

test("what was open before is no leftover; what came and stayed is, once each", async () => {
  const open = ["PipeWrap", "Timeout"];
  const leftovers = watchLeftovers(() => [...open]);
  expect(await leftovers(0)).toEqual([]);
  open.push("Timeout", "TCPSocketWrap", "FSReqCallback");
  expect(await leftovers(0)).toEqual(["Timeout", "TCPSocketWrap"]);
});

test("what goes within the time is none", async () => {
  const open = ["PipeWrap"];
  const leftovers = watchLeftovers(() => [...open]);
  open.push("TCPSocketWrap");
  setTimeout(() => open.pop(), 20);
  expect(await leftovers(10_000)).toEqual([]);
});

test("a timer of one's own process counts while it runs", async () => {
  const leftovers = watchLeftovers();
  const timer = setInterval(() => {}, 10_000);
  expect(await leftovers(30)).toContain("Timeout");
  clearInterval(timer);
  expect(await leftovers(10_000)).toEqual([]);
});
