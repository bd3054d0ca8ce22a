import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { convergeTable, makeConvergeRequest } from "../../../../harness/cli/converge-request.ts";
import { fromFlags, type Given, resolveOptions } from "../../../../harness/config/resolve.ts";

/** A run with these flags, beside a configuration file. */
function request(flags: Given["texts"], inFile: Given["texts"] = {}) {
  const file: Given = { kind: "file", nameOf: (key) => `harness.config.ts: converge.${key}`, texts: inFile };
  const options = resolveOptions(convergeTable, [fromFlags({ seed: ["1"], ...flags }), file]);
  return makeConvergeRequest(options, { cwd: tmpdir(), argv: [], file: undefined });
}

describe("what the configuration file says of another way to run", () => {
  test("its time does not end a number of schedules that the command line asked for", async () => {
    const { plan, replay, config } = await request({ schedules: ["100000"] }, { time: ["10s"] });
    expect(plan).toMatchObject({ schedules: 100_000 });
    expect(plan.timeMs).toBeUndefined();
    expect(replay).not.toContain("--time");
    expect(config).not.toHaveProperty("time");
  });

  test("its time, threads and journal are nothing to agents", async () => {
    const agents = ["redis://127.0.0.1:1"];
    const made = await request({ agents, schedules: ["64"] }, { time: ["10s"], threads: ["2"], journal: ["j"] });
    expect(made.plan.timeMs).toBeUndefined();
    expect(made.plan.journal).toBeUndefined();
    expect(made.agents).toMatchObject({ shards: 16 });
  });

  test("its limits do not keep one schedule from being run again, nor an exhaustive search, nor the zoo", async () => {
    const limits = { time: ["10s"], schedules: ["100"], ops: ["20"], crdt: ["pn-counter"] };
    expect((await request({ index: ["7"] }, limits)).plan).toMatchObject({ index: 7 });
    const { plan } = await request({ exhaustive: ["true"], depth: ["3"] }, limits);
    expect(plan).toMatchObject({ exhaustive: { depth: 3 }, timeMs: 10_000 });
    expect(plan.schedules).toBeUndefined();
    expect((await request({ zoo: ["true"] }, limits)).plan.crdts.length).toBeGreaterThan(50);
  });

  test("the depth of its exhaustive searches is nothing to a random one", async () => {
    expect((await request({}, { depth: ["6"], shards: ["4"] })).plan.exhaustive).toBeUndefined();
  });

  test("what the command line itself says twice is refused as before", async () => {
    const agents = ["redis://127.0.0.1:1"];
    await expect(request({ agents, schedules: ["64"], time: ["10s"] })).rejects.toThrow("leave out --time");
    await expect(request({ zoo: ["true"], crdt: ["document"] })).rejects.toThrow("document has none");
    expect((await request({ zoo: ["true"], crdt: ["row-lww"] })).plan.crdts).toHaveLength(1);
    await expect(request({ depth: ["6"] })).rejects.toThrow("add it");
    await expect(request({ exhaustive: ["true"], ops: ["6"] })).rejects.toThrow("leave it out");
  });
});
