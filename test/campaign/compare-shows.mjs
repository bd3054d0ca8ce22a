// What `harness compare` says of runs of which the answer is known, with real locks and a real Redis:
//   node test/campaign/compare-shows.mjs [NAME...]     all, or those whose names begin so; exit code 1 if one says otherwise
// Each prints its command, its exit code and what it concluded. All of it takes some minutes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const bin = resolve("dist/harness/cli/bin.js");
// Kept between calls, so that the shows can be made in pieces.
const kept = join(tmpdir(), "holdfast-compare-shows");
mkdirSync(kept, { recursive: true });
const load = "lock --rate 20000 --faults none --job-time constant(1ms) --workers 2".split(" ");
const stored = ["--no-control", "--rounds", "10", "--duration", "6s", "--seed", "5"];
const slower = resolve("test/fixtures/locks/three-ms-slower.ts");
const broken = resolve("test/fixtures/locks/grants-always.ts");
const mistaken = resolve("test/fixtures/converge/mistaken-document.ts");
// Few keys, so that jobs meet: there a lock that grants always is seen to.
const meeting =
  "lock --rate 3000 --faults none --job-time constant(20ms) --workers 2 --keys 4 --no-control --rounds 1 --duration 1s --seed 5";
const converge = "converge --threads 1 --schedules 3000 --seed 5".split(" ");

const shows = {
  "same, stored": {
    expect: [0, ["unchanged", "inconclusive"]],
    args: () => [run("base", [...load, ...stored]), run("base again", [...load, ...stored])],
  },
  "same, in turns": {
    expect: [0, ["unchanged", "inconclusive", "improved"]],
    args: () => turns("--lock set-nx", "--lock set-nx"),
  },
  "3 ms more, in turns": { expect: [1, ["regressed"]], args: () => turns("--lock set-nx", `--lock ${slower}`) },
  "3 ms more, stored": { expect: [0, ["inconclusive"]], args: () => [run("base", [...load, ...stored]), slowRun()] },
  "3 ms more, stored, gated": {
    expect: [1, ["regressed"]],
    args: () => [run("base", [...load, ...stored]), slowRun(), "--gate-unpaired"],
  },
  "a broken lock": {
    expect: [1, ["broke"]],
    args: () => [run("meeting", meeting.split(" ")), run("broken", [...meeting.split(" "), "--lock", broken])],
  },
  "not comparable": {
    expect: [64, [undefined]],
    args: () => [run("meeting", meeting.split(" ")), run("base", [...load, ...stored])],
  },
  "converge, the same": {
    expect: [0, ["unchanged", "inconclusive"]],
    args: () => [run("converge", converge), run("converge again", converge)],
  },
  "converge, broken": {
    expect: [1, ["broke"]],
    args: () => [
      run("own document", [...converge, "--crdt", mistaken]),
      run("own document, broken", [...converge, "--crdt", `${mistaken}(mistake=no-tombstone)`]),
    ],
  },
  "benchmarks, in turns": {
    expect: [0, ["unchanged", "inconclusive", "improved"]],
    args: () => ["--run", "bench clock measure", "bench clock measure"],
  },
  "matrix, the same": {
    expect: [0, ["unchanged"]],
    args: () => [run("matrix", matrix("set-nx-fenced")), run("matrix again", matrix("set-nx-fenced"))],
  },
  "matrix, broken": {
    expect: [1, ["broke"]],
    args: () => [
      run("matrix", matrix("set-nx-fenced")),
      run("matrix of another", matrix("set-nx-fenced", broken)),
      "--force",
    ],
  },
};

const wanted = process.argv.slice(2);
let wrong = 0;
for (const [
  name,
  {
    expect: [code, verdicts],
    args,
  },
] of Object.entries(shows)) {
  if (wanted.length > 0 && !wanted.some((word) => name.startsWith(word))) continue;
  const words = ["compare", ...args(), "--reporter", "terminal,html", "--out", join(kept, "compared")];
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words, "--json", "--quiet"], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const result = stdout === "" ? undefined : JSON.parse(stdout);
  const right = status === code && verdicts.includes(result?.verdict);
  if (!right) wrong += 1;
  console.log(
    `${right ? "as expected" : "NOT AS EXPECTED"}: ${name}: exit code ${status}, ${result?.verdict ?? "refused"}, ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  console.log(`  harness ${words.map((word) => (/[ ()]/.test(word) ? `'${word}'` : word)).join(" ")}`);
  console.log(`  ${result?.statusReason ?? stderr.trim()}`);
  for (const { name: metric, effect, lo, hi, pAdjusted, verdict, gated } of result?.metrics ?? []) {
    const percent = (value) => (value === null ? "?" : `${(value * 100).toFixed(1)} %`);
    if (gated)
      console.log(
        `    ${metric}: ${percent(effect)} (${percent(lo)} to ${percent(hi)}), p ${pAdjusted?.toFixed(4)}: ${verdict}`,
      );
  }
  for (const { change, group, what, base, head } of result?.correctness ?? [])
    console.log(`    ${change}: ${group}, ${what}: ${base} -> ${head}`);
}
process.exit(wrong > 0 ? 1 : 0);

function turns(base, head) {
  return ["--run", base, head, "--common", load.join(" "), "--round", "600ms"];
}

function slowRun() {
  return run("slower", [...load, ...stored, "--lock", slower]);
}

function matrix(...locks) {
  return ["matrix", ...locks.flatMap((lock) => ["--lock", lock]), "--scenario", "slow-job", "--seed", "5"];
}

/** The folder of a run, made once. */
function run(name, args) {
  const out = join(kept, name.replaceAll(/[ ,]+/g, "-"));
  const made = () =>
    (existsSync(out) ? readdirSync(out) : []).filter((entry) => existsSync(join(out, entry, "result.json")));
  if (made().length === 0) {
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args, "--quiet", "--out", out], {
      encoding: "utf8",
    });
    if (made().length === 0) throw new Error(`${name}: exit code ${status}: ${stderr}`);
  }
  const folder = join(out, made()[0]);
  return JSON.parse(readFileSync(join(folder, "result.json"), "utf8")) && folder;
}
