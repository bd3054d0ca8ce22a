import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProxyServer, runProxyServer } from "../../harness/faults/toxiproxy-api/run-proxy-server.ts";
import { armOf, folderForTest, runLock, startHarness } from "./run-harness.ts";

let server: ProxyServer;
beforeAll(async () => {
  server = await runProxyServer({ port: 0, seed: 1 });
});
afterAll(() => server.close());

const proxiesLeft = async () => Object.keys((await (await fetch(`${server.url}/proxies`)).json()) as object);

describe("an existing Toxiproxy server as the network of a run", () => {
  test("carries it, with the faults that it can do, and keeps nothing of it", async () => {
    const faults = "latency(base=5ms), refuse(at=0.7s, for=0.3s), black-hole(target=node:1, at=1.2s, for=0.2s)";
    const load = [
      "--duration",
      "2s",
      "--rounds",
      "1",
      "--rate",
      "600",
      "--job-time",
      "constant(20ms)",
      "--ack",
      "after",
    ];
    const { result } = await runLock(["--toxiproxy", server.url, ...load, "--faults", faults]);
    expect(result.faults.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(result.faults.filter(({ arm }) => arm === "set-nx").map(({ name }) => name)).toEqual([
      "latency",
      "refuse",
      "black-hole",
    ]);
    const { jobs, acquire } = armOf(result, "set-nx");
    expect(acquire.p50Ms).toBeGreaterThan(5);
    expect(jobs.lost).toBe(0);
    expect(await proxiesLeft()).toEqual([]);
  });

  test.each([
    ["article", /cannot do latency: its jitter is uniform/],
    ["error-reply(command=SET, error=READONLY)", /cannot do error-reply: it knows no commands/],
    ["partition(a=client:1, b=node:1)", /Toxiproxy/],
    ["redis-pause(on=command(SET), for=100ms)", /cannot tell when redis-pause is to start/],
  ])("%s is refused, 64", async (faults, reason) => {
    const args = ["lock", "--toxiproxy", server.url, "--faults", faults];
    const { exitCode, stderr } = await startHarness(args, folderForTest());
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringMatching(reason) });
  });

  test("one that is not there: how to go on, 69", async () => {
    const args = ["lock", "--toxiproxy", "http://127.0.0.1:9", "--faults", "latency(base=1ms)"];
    const cwd = folderForTest();
    const { exitCode, stdout, stderr } = await startHarness(args, cwd);
    expect({ exitCode, stderr }).toEqual({ exitCode: 69, stderr: expect.stringMatching(/No Toxiproxy answers at/) });
    // A run that never began has nothing to report, and leaves nothing.
    expect(stdout).toBe("");
    expect(readdirSync(join(cwd, "harness-results"))).toEqual([]);
  });
});
