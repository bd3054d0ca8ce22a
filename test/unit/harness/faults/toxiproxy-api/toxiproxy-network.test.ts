import { describe, expect, it } from "vitest";
import { UsageError } from "../../../../../harness/errors.ts";
import { refuseIfUnable } from "../../../../../harness/faults/toxiproxy-api/toxiproxy-network.ts";

const run = { nodes: ["node:1", "node:2"], clients: 2 };
const check = (name: string, parameters: Record<string, number | string>, targets: string[] = []) =>
  refuseIfUnable({ name, parameters, targets }, run);

describe("refuseIfUnable", () => {
  it.each([
    ["latency", { base: 2, jitter: 1, distribution: "uniform" }, []],
    ["latency", { base: 2 }, ["node:2"]],
    ["latency", { base: 2 }, ["client:1", "client:2"]],
    ["latency", { base: 2 }, ["client:1-node:1", "client:2-node:1", "client:1-node:2", "client:2-node:2"]],
    ["bandwidth", { rate: 5_000 }, []],
    ["slicer", { size: 10, delay: 0.05 }, []],
    ["black-hole", {}, ["node:1"]],
    ["partition", { mode: "lose" }, []],
    ["reset", { after: 5 }, []],
    ["refuse", {}, []],
    ["slow-close", { delay: 5 }, []],
    ["limit-data", { bytes: 5 }, []],
  ])("takes %s %j at %j", (name, parameters, targets) => {
    expect(() => check(name, parameters as Record<string, number | string>, targets)).not.toThrow();
  });

  it.each([
    ["jitter", { base: 0.2, p99: 1.5 }, [], /latency.*p99/],
    ["latency", { base: 0.5 }, [], /whole ms/],
    ["latency", { base: 2, distribution: "pareto", jitter: 1 }, [], /uniform/],
    ["latency", { base: 2, jitter: 1, correlation: 0.5 }, [], /correlated/],
    ["latency", { base: 2 }, ["client:1"], /clients apart/],
    ["latency", { base: 2 }, ["client:1-node:1"], /clients apart/],
    ["latency", { base: 2 }, ["node:1", "client:1-node:2"], /client:1-node:2/],
    ["bandwidth", { rate: 500 }, [], /KB\/s/],
    ["partition", {}, [], /cannot hold/],
    ["black-hole", { a: "client:1", b: "node:1" }, [], /sides/],
    ["reset", { bytes: 5 }, [], /after a time/],
    ["lose-reply", { command: "SET" }, [], /commands/],
    ["error-reply", { command: "SET" }, [], /commands/],
  ])("refuses %s %j at %j", (name, parameters, targets, why) => {
    const run = () => check(name, parameters as Record<string, number | string>, targets);
    expect(run).toThrow(UsageError);
    expect(run).toThrow(why);
  });
});
