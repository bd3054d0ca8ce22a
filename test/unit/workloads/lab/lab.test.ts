import { describe, expect, it } from "vitest";
import { playPolicies } from "../../../../workloads/lab/policies.ts";
import { findScenes, labScenes } from "../../../../workloads/lab/registry.ts";
import type { LabRegion, PlayedScene, PlayedStep } from "../../../../workloads/lab/scene.ts";

const scene = (id: string) => findScenes(id)[0]?.play() as PlayedScene;
const last = (played: PlayedScene) => played.steps.at(-1) as PlayedStep;

function shown(step: PlayedStep | undefined, region: LabRegion): Record<string, string> {
  return Object.fromEntries(step?.[region].lines.map(({ label, value }) => [label, value]) ?? []);
}

const both = (step: PlayedStep) => [shown(step, "fra"), shown(step, "cai")];

describe("the lab", () => {
  it("1: naive rows lose two orders and a tag, in both regions", () => {
    expect(both(last(scene("1")))).toEqual([
      { price: "120", stock: "9", tags: "[new]", updatedAt: "220000 by fra" },
      { price: "120", stock: "9", tags: "[new]", updatedAt: "220000 by fra" },
    ]);
    const beforeTheLinkHeals = scene("1").steps[5];
    expect(shown(beforeTheLinkHeals, "cai")).toMatchObject({
      stock: "8",
      tags: "[new, sale]",
      updatedAt: "100000 by cai",
    });
  });

  it("2: documents keep everything", () => {
    const played = scene("2");
    expect(both(last(played))).toEqual([
      { price: "120", stock: "7", tags: "[new, sale]", clock: "(220000,1,fra)" },
      { price: "120", stock: "7", tags: "[new, sale]", clock: "(220000,1,cai)" },
    ]);
    expect(played.setting.join(" ")).toContain("300,000");
  });

  it("3: the add wins", () => {
    const played = scene("3");
    expect(shown(played.steps[2], "cai").tags).toBe("[sale]");
    for (const region of both(last(played))) expect(region.tags).toBe("[new, sale]");
  });

  it("4: the clock steps back, the stamps do not", () => {
    const { steps } = scene("4");
    const stampOf = (step: number, region: LabRegion) =>
      steps[step]?.[region].lines.find(({ label }) => label === "price")?.inside;
    expect(stampOf(1, "cai")).toBe("stamped (220000,2,cai)");
    expect(stampOf(4, "fra")).toBe("stamped (230000,0,fra)");
    expect(steps[6]?.fra.wallMs).toBe(170_000);
    expect(stampOf(6, "fra")).toBe("stamped (230000,1,fra)");
    expect(both(last(scene("4"))).map(({ price }) => price)).toEqual(["140", "140"]);
  });

  it("5: oversell, escrow, uniqueness, home, drift", () => {
    expect(both(last(scene("5a"))).map(({ stock }) => stock)).toEqual(["-1", "-1"]);
    const escrow = scene("5b");
    expect(both(last(escrow)).map(({ stock }) => stock)).toEqual(["0", "0"]);
    expect(
      escrow.steps.flatMap(({ fra, cai }) => [fra, cai]).filter(({ answer }) => answer?.kind === "refused"),
    ).toHaveLength(2);
    expect(both(last(scene("5c"))).map((region) => region["ada@example.com"])).toEqual(["[Adel, Ada]", "[Adel, Ada]"]);
    const home = scene("5d");
    expect(both(last(home)).map((region) => region["ada@example.com"])).toEqual(["[Ada]", "[Ada]"]);
    expect(home.steps[3]?.cai.answer).toEqual({ kind: "refused", text: "NOT_HOME: ask Frankfurt" });
    const drift = scene("5e");
    expect(drift.steps[2]?.cai.answer?.text).toBe("CLOCK_DRIFT: (220000,0,fra) is 120000 ms ahead, 60000 are allowed");
    expect(drift.steps[5]?.cai.lines[0]?.value).toBe("(220000,2,cai)");
    expect(drift.steps[8]?.cai.answer?.text).toContain("(3820000,0,fra) is 3720000 ms ahead");
    expect(shown(last(drift), "cai")).toEqual({ clock: "(220000,3,cai)", guard: "300000 ms", refused: "2" });
  });

  it("6: what each policy loses, refuses and waits for", () => {
    const { outcomes } = playPolicies();
    const row = (price: number, stock: number, ...tags: string[]) => ({ price, stock, tags });
    expect(outcomes.map(({ policy, rows, lost, refused }) => [policy, rows.cai, lost, refused.length])).toEqual([
      ["row-lww", row(100, 8, "new", "sale"), ["Frankfurt's price", "Frankfurt's sale"], 0],
      ["row-handler", row(120, 8, "new", "sale"), ["Frankfurt's sale"], 0],
      ["field-lww", row(120, 8, "new", "sale"), ["Frankfurt's sale"], 0],
      ["home-region", row(120, 9, "new"), [], 2],
      ["crdt-document", row(120, 7, "new", "sale"), [], 0],
      ["consensus", row(120, 9, "new"), [], 2],
    ]);
    for (const { rows } of outcomes) expect(rows.fra).toEqual(rows.cai);
    expect(outcomes.find(({ policy }) => policy === "consensus")?.cost).toContain("a majority");
  });

  it("is found by number, and by the number of a group", () => {
    expect(findScenes("5").map(({ id }) => id)).toEqual(["5a", "5b", "5c", "5d", "5e"]);
    expect(findScenes("7")).toEqual([]);
    expect(findScenes("")).toEqual([]);
  });

  it("marks what a step changed, and nothing at the start", () => {
    for (const { play } of labScenes) {
      const played = play();
      if (!("steps" in played)) continue;
      expect(played.steps[0]?.fra.changed).toEqual([]);
      expect(played.steps.slice(1).some(({ fra, cai }) => fra.changed.length + cai.changed.length > 0)).toBe(true);
    }
    expect(scene("1").steps[4]?.cai.changed).toEqual(["stock", "updatedAt"]);
    expect(scene("1").steps[4]?.fra.changed).toEqual([]);
  });
});
