import { lockPresets } from "../../harness/config/presets.ts";
import { topologies } from "../../harness/config/topologies.ts";
import type { LockFamily } from "../../harness/contracts/module-ref.ts";
import { faultProfiles } from "../../harness/faults/profiles.ts";
import { builtInReporters } from "../../reports/registry.ts";
import { crdtRegistry } from "../../workloads/crdts/registry.ts";
import { zoo } from "../../workloads/crdts/zoo.ts";
import { jobRegistry } from "../../workloads/jobs/registry.ts";
import { labScenes } from "../../workloads/lab/registry.ts";
import { lockRegistry } from "../../workloads/locks/registry.ts";
import { queueRegistry } from "../../workloads/queues/registry.ts";
import { code, page, sentence, table } from "./markdown.ts";

export function locksPage(): string {
  const rows = (family: LockFamily) =>
    lockRegistry
      .filter((lock) => lock.family === family)
      .map(({ name, summary, needsPackage }) => [code(name), summary, needsPackage ? code(needsPackage) : ""]);
  const broken = lockRegistry.filter(({ family }) => family === "broken");
  return page(
    "Locks",
    "Names for `--lock`. [locks.md](../locks.md) says what a lock is here, and how to take one of your own.",
    [
      `## Controls\n\n${table(
        ["name", "what it is"],
        rows("control").map(([name = "", summary = ""]) => [name, summary]),
      )}`,
      `## Written here\n\nHeld up as right within the limits that each states.\n\n${table(
        ["name", "what it is"],
        rows("own").map(([name = "", summary = ""]) => [name, summary]),
      )}`,
      `## From npm\n\nDriven as they are published. A package that is not installed ends the run with exit code 69 and the words to install it.\n\n${table(["name", "what it is", "package"], rows("npm"))}`,
      `## Broken on purpose\n\nEach is a mistake that was made before. They show that the checks see.\n\n${table(
        ["name", "the wrong thought", "found by"],
        broken.map(({ name, summary, wrongThought, caughtBy }) => [
          code(name),
          wrongThought ?? summary,
          caughtBy ? `${code(caughtBy.check)} in ${code(caughtBy.scenario)}` : "",
        ]),
      )}`,
    ],
  );
}

export function crdtsPage(): string {
  const rows = (family: string) =>
    crdtRegistry
      .filter((crdt) => crdt.family === family)
      .map(({ name, summary, needsPackage, expected, caughtBy = [], cost }) => [
        code(name),
        summary,
        expected === "correct" ? "converges" : `breaks: ${caughtBy.map(code).join(", ")}`,
        needsPackage ? code(needsPackage) : (cost ?? ""),
      ]);
  const three = (family: string) => rows(family).map((row) => row.slice(0, 3));
  return page(
    "Replicated data types",
    "Names for `--crdt`. [convergence.md](../convergence.md) says how they are tried.",
    [
      `## Reference types\n\n${table(["name", "what it is", "what a campaign says"], three("reference"))}`,
      `## What databases do\n\nThe policies of real databases, in the same schedules.\n\n${table(["name", "what it is", "what a campaign says", "a write waits for"], rows("policy"))}`,
      `## Libraries\n\n${table(["name", "what it is", "what a campaign says", "package"], rows("library"))}`,
      `## The zoo\n\nBroken on purpose: the classic mistakes, each with the thought that leads to it and the oracles that count as catching it. \`harness converge --zoo\` runs them all.\n\n${table(
        ["name", "the wrong thought", "caught by"],
        Object.entries(zoo).map(([name, [thought, ...oracles]]) => [
          code(`broken/${name}`),
          thought,
          oracles.map((oracle) => code(String(oracle))).join(", "),
        ]),
      )}`,
    ],
  );
}

export function queuesPage(): string {
  const named = (entries: readonly { name: string; summary: string }[]) =>
    table(
      ["name", "what it is"],
      entries.map(({ name, summary }) => [code(name), summary]),
    );
  return page(
    "Queues, jobs, topologies and the rest",
    "What `harness list` lists besides locks, faults, CRDTs, checks and oracles.",
    [
      `## Queues\n\nNames for \`--queue\`.\n\n${table(
        ["name", "what it is", "orders of acknowledgement", "package"],
        queueRegistry.map(({ name, summary, ack, needsPackage }) => [
          code(name),
          summary,
          ack.map(code).join(", "),
          needsPackage ? code(needsPackage) : "",
        ]),
      )}`,
      `## Jobs\n\nNames for \`--job\`.\n\n${named(jobRegistry)}`,
      `## Topologies\n\nNames for \`--topology\`.\n\n${named(topologies)}`,
      `## Fault profiles\n\nNames for \`--faults\`.\n\n${named(faultProfiles)}`,
      `## Presets\n\nNames for \`--preset\`. Values that are given otherwise go before those of a preset.\n\n${table(
        ["name", "what it is", "its values"],
        lockPresets.map(({ name, summary, values }) => [
          code(name),
          summary,
          Object.entries(values)
            .map(([key, texts]) => code(`${key}: ${texts.join(", ")}`))
            .join(", "),
        ]),
      )}`,
      `## Reporters\n\nNames for \`--reporter\`.\n\n${table(
        ["name", "what it shows", "where"],
        builtInReporters.map(({ name, summary, writes }) => [code(name), summary, writes]),
      )}`,
      `## Scenes\n\nFor \`harness lab\`.\n\n${table(
        ["scene", "what happens"],
        labScenes.map(({ id, title }) => [code(id), sentence(title)]),
      )}`,
    ],
  );
}
