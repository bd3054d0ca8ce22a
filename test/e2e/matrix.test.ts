import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type MatrixResult, matrixResultSchema } from "../../harness/results/matrix-schema.ts";
import { readResult } from "../../harness/results/store.ts";
import { folderForTest, latestRun, leftoversOf, startHarness, until } from "./run-harness.ts";

const verdicts = ({ cells }: MatrixResult) =>
  Object.fromEntries(cells.map(({ lock, scenario, verdict }) => [`${lock} ${scenario}`, verdict]));

describe("harness matrix", () => {
  test("two locks in two scenarios: what held and what broke, by which check, with evidence that can be judged again", async () => {
    const cwd = folderForTest();
    const locks = ["--lock", "set-nx", "--lock", "broken-get-then-del"];
    const scenarios = ["--scenario", "slow-job", "--scenario", "delayed-delete"];
    const { exitCode, stdout, stderr } = await startHarness(
      ["matrix", "--json", "--seed", "3", "--reporter", "html,junit,markdown", ...locks, ...scenarios],
      cwd,
    );
    expect(exitCode, stderr).toBe(0);
    const result = matrixResultSchema.parse(JSON.parse(stdout));
    expect(result.status).toBe("passed");
    expect(verdicts(result)).toEqual({
      "set-nx slow-job": "broke",
      "set-nx delayed-delete": "held",
      "broken-get-then-del slow-job": "broke",
      "broken-get-then-del delayed-delete": "broke",
    });
    const [slow] = result.cells;
    expect(slow).toMatchObject({
      n: 1,
      broke: 1,
      replay: "npx harness matrix --lock set-nx --scenario slow-job --seed 3",
    });
    expect(slow?.checks).toContain("exclusion");
    expect(slow?.evidence[0]?.evidence.length).toBeGreaterThan(2);
    expect(result.cells.at(-1)?.checks).toContain("ownership");

    const folder = latestRun(cwd);
    const cells = readdirSync(join(folder, "cells"));
    expect(cells).toHaveLength(4);
    for (const cell of cells) {
      expect(readdirSync(join(folder, "cells", cell)).sort()).toEqual(["cell.json", "history.ndjson", "plan.json"]);
    }
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("broken-get-then-del");
    expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("delayed-delete");
    expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain("matrix set-nx");

    const again = await startHarness(["check", folder, "--json"], cwd);
    expect(verdicts(JSON.parse(again.stdout) as MatrixResult)).toEqual(verdicts(result));
    const failing = await startHarness(["matrix", "--resume", folder, "--fail-on", "broke", "--quiet"], cwd);
    expect(failing.exitCode).toBe(1);
    expect(failing.stdout).toContain("set-nx in slow-job");
  });

  test("a matrix in which nothing was judged is unknown, and says why", async () => {
    const cwd = folderForTest();
    const { exitCode, stdout } = await startHarness(
      ["matrix", "--lock", "set-nx", "--scenario", "hole-1-of-5", "--reporter", "terminal"],
      cwd,
    );
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^UNKNOWN +Nothing was judged/);
    expect(stdout).toContain("No scenario applies, such as set-nx in hole-1-of-5: ");
  });

  test.each([
    [["--scenario", "slow-jbo"], /no such scenario\. Did you mean "slow-job"\?/],
    [["--lock", "set-nxx"], /no such lock\. Did you mean "set-nx"\?/],
    [["--fail-on", "brok"], /Did you mean "broke"\?/],
    [["--shard", "3/2"], /write 2\/5/],
    [["--lock", "set-nx", "--lock", "set-nx"], /given twice/],
    [["--resume", "nowhere"], /There is no run at/],
  ])("%j is refused before anything starts", async (args, message) => {
    const cwd = folderForTest();
    const { exitCode, stderr } = await startHarness(["matrix", ...args], cwd);
    expect(exitCode).toBe(64);
    expect(stderr).toMatch(message);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("--dry-run shows every cell's faults and conditions and starts nothing; shards are parts of the whole", async () => {
    const cwd = folderForTest();
    const args = ["matrix", "--dry-run", "--lock", "set-nx", "--seed", "1"];
    const [whole, half] = await Promise.all([startHarness(args, cwd), startHarness([...args, "--shard", "1/2"], cwd)]);
    expect(whole.stdout).toContain("worker-stop(on=grant, after=50ms, for=1.6s, target=worker:1)");
    const count = (text: string) => Number(/^(\d+) cells/.exec(text)?.[1]);
    expect(count(half.stdout)).toBe(Math.ceil(count(whole.stdout) / 2));
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("Ctrl-C keeps what was found and leaves nothing behind; --resume runs the rest and nothing twice", async () => {
    const cwd = folderForTest();
    const scenarios = ["script-flush", "kill-holder", "slow-job"].flatMap((name) => ["--scenario", name]);
    const harness = startHarness(["matrix", "--lock", "set-nx", ...scenarios, "--side-by-side", "1"], cwd);
    const pid = harness.pid!;
    const ended = () =>
      existsSync(join(latestRun(cwd), "cells"))
        ? readdirSync(join(latestRun(cwd), "cells"))
            .map((name) => join(latestRun(cwd), "cells", name, "cell.json"))
            .filter((file) => existsSync(file))
        : [];
    await until(() => ended().length > 0);
    process.kill(pid, "SIGINT");
    expect((await harness).exitCode).toBe(130);
    await until(() => leftoversOf(`matrix-${pid}-`).length === 0);
    const folder = latestRun(cwd);
    const result = readResult(folder) as MatrixResult;
    expect(result.status).toBe("interrupted");
    const kept = ended().map((file) => [file, statSync(file).mtimeMs] as const);
    expect(result.cells).toHaveLength(kept.length);
    expect(kept.length).toBeLessThan(3);

    const resumed = await startHarness(["matrix", "--resume", "harness-results/latest", "--json"], cwd);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect((JSON.parse(resumed.stdout) as MatrixResult).cells).toHaveLength(3);
    expect(kept.map(([file]) => [file, statSync(file).mtimeMs])).toEqual(kept);
  });
});
