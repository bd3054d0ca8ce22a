import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { findScenes, labScenes } from "../../../../workloads/lab/registry.ts";
import { renderLab, renderLabSteps } from "../../../../workloads/lab/render.ts";

const render = (id: string, width: number, color = false) => {
  const [scene] = findScenes(id);
  if (scene === undefined) throw new Error(`There is no scene ${id}.`);
  return renderLab(scene.play(), { color, width });
};

describe("the lab on a terminal", () => {
  it("puts the regions side by side, marks changes, and says whether the link is up", () => {
    const lines = render("1", 100).split("\n");
    const end = lines.findIndex((line) => line.startsWith("7. "));
    expect(lines.slice(end, end + 6)).toEqual([
      "7.  The rows cross. Each region keeps the row with the greater updatedAt.",
      "    Frankfurt                 wall clock 220000   <==>   Cairo                     wall clock 100000",
      "      price      120                                     * price      120",
      "      stock      9                                       * stock      9",
      "      tags       [new]                                   * tags       [new]",
      "      updatedAt  220000 by fra                           * updatedAt  220000 by fra",
    ]);
    expect(lines).toContain("    Frankfurt <xx> Cairo");
  });

  it("fits every width, below each other where it is narrow", () => {
    for (const width of [40, 60, 72, 100, 200]) {
      for (const { play } of labScenes) {
        const longest = Math.max(
          ...renderLab(play(), { color: false, width })
            .split("\n")
            .map((line) => line.length),
        );
        expect(longest).toBeLessThanOrEqual(Math.min(width, 110));
      }
    }
    expect(render("2", 60)).not.toContain("<==>   Cairo");
  });

  it("has colours only when asked, and the same text under them", () => {
    const plain = render("5e", 100);
    const coloured = render("5e", 100, true);
    expect(coloured).not.toBe(plain);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
    expect(stripVTControlCharacters(plain)).toBe(plain);
  });

  it("comes in pieces: the opening, each step, the moral", () => {
    const [scene] = findScenes("2");
    const played = scene?.play();
    if (played === undefined || !("steps" in played)) throw new Error("Scene 2 has steps.");
    const pieces = renderLabSteps(played, { color: false, width: 100 });
    expect(pieces).toHaveLength(played.steps.length + 2);
    expect(pieces[0]).toContain("Scene 2");
    expect(pieces.at(-1)).toContain("=>");
  });
});
