import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orderOf } from "../../../../../harness/cli/turns/play-pairs.ts";
import { readSide } from "../../../../../harness/cli/turns/side.ts";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "holdfast-side-"));
  mkdirSync(join(cwd, "base", "dist", "harness", "cli"), { recursive: true });
  writeFileSync(join(cwd, "base", "dist", "harness", "cli", "bin.js"), "");
  writeFileSync(join(cwd, "fast.config.json"), "{}");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const side = (text: string, common?: string) => readSide(text, common, cwd);

describe("a side of a comparison by runs", () => {
  it("is options in quotes, of harness lock unless said", () => {
    expect(side("--lock set-nx --ttl 2s")).toMatchObject({
      kind: "lock",
      args: ["--lock", "set-nx", "--ttl", "2s"],
      foreign: false,
      label: "--lock set-nx --ttl 2s",
    });
    expect(side("converge --crdt document").kind).toBe("converge");
  });

  it("is a configuration file, with or without options", () => {
    expect(side("fast.config.json --ttl 2s").args).toEqual(["--config", join(cwd, "fast.config.json"), "--ttl", "2s"]);
  });

  it("is a build: a checkout, or its command", () => {
    const bin = join(cwd, "base", "dist", "harness", "cli", "bin.js");
    expect(side("base")).toMatchObject({ bin, foreign: true, args: [] });
    expect(side(`${bin} converge --regions 4`)).toMatchObject({ bin, kind: "converge", args: ["--regions", "4"] });
  });

  it("names benchmarks by words", () => {
    expect(side("base bench clock measure")).toMatchObject({ kind: "bench", args: ["clock", "measure"] });
  });

  it("begins with what both have in common", () => {
    expect(side("base", "lock --rate 600").args).toEqual(["--rate", "600"]);
    expect(side("--ttl 2s", "base --rate 600")).toMatchObject({
      foreign: true,
      args: ["--rate", "600", "--ttl", "2s"],
    });
    expect(side("", "converge --regions 4").label).toBe("converge --regions 4");
  });

  it.each([
    ["--rounds 3", undefined, "--rounds is for the comparison to decide: give --pairs"],
    ["--duration=3s", undefined, "give --round"],
    ["converge --time 3s", undefined, "give --round"],
    ["--seed 3", undefined, "give --seed to harness compare"],
    ["--no-control", undefined, "--control is for the comparison to decide."],
    ["lock --ttl 1s", "converge", "--common says converge, and this side says lock"],
    ["nowhere", undefined, '"nowhere" is neither a build'],
  ])("%s is refused", (text, common, message) => {
    expect(() => side(text, common)).toThrow(message);
  });
});

it("takes turns, ABBA", () => {
  expect([1, 2, 3].map((number) => orderOf(number)[0])).toEqual(["base", "head", "base"]);
});
