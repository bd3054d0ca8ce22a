import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { JobModule } from "../../../../harness/contracts/job.ts";
import { packageRoot } from "../../../../harness/package-root.ts";
import { job as invoice } from "../../../../workloads/jobs/invoice.ts";
import { job as readModifyWrite } from "../../../../workloads/jobs/read-modify-write.ts";
import { jobRegistry } from "../../../../workloads/jobs/registry.ts";
import { job as upsert } from "../../../../workloads/jobs/upsert.ts";
import { jobExecution, MemoryWitness } from "../../../fixtures/workloads/job-execution.ts";

describe.each(jobRegistry)("$name", ({ module }) => {
  const load = async () =>
    (await import(pathToFileURL(join(packageRoot(), "workloads", `${module}.ts`)).href)) as JobModule;

  test("has one effect, after its work", async () => {
    const witness = new MemoryWitness();
    const { job } = await load();
    const atWork: number[] = [];
    const work = async () => {
      atWork.push(witness.effects.length);
    };
    await job.perform(jobExecution(witness, { work, fencingToken: 1 }));
    expect(atWork).toEqual([0]);
    expect(witness.effects).toHaveLength(1);
  });

  test("has none when its lock was lost", async () => {
    const witness = new MemoryWitness();
    const { job } = await load();
    const lost = AbortSignal.abort(new Error("the lock was lost"));
    await expect(job.perform(jobExecution(witness, { signal: lost, fencingToken: 1 }))).rejects.toThrow("was lost");
    expect(witness.effects).toEqual([]);
  });
});

/** Starts both before either ends its work. */
async function together(job: JobModule["job"], witness: MemoryWitness, tokens: [number, number] = [1, 2]) {
  let go = () => {};
  const started = new Promise<void>((resolve) => {
    go = resolve;
  });
  const work = () => started;
  const [a, b] = tokens.map((fencingToken, index) =>
    job.perform(jobExecution(witness, { job: `j${index + 1}`, work, fencingToken })),
  );
  await Promise.resolve();
  go();
  await Promise.all([a, b]);
}

test("read-modify-write: one after the other adds up, at the same time an update is lost", async () => {
  const apart = new MemoryWitness();
  await readModifyWrite.perform(jobExecution(apart, { job: "j1" }));
  await readModifyWrite.perform(jobExecution(apart, { job: "j2" }));
  expect(apart.values.get("k1")).toBe(2);
  const overlapping = new MemoryWitness();
  await together(readModifyWrite, overlapping);
  expect(overlapping.values.get("k1")).toBe(1);
  expect(overlapping.versions.get("k1")).toBe(2);
});

test("upsert: done twice it leaves what it left the first time, and another job leaves something else", async () => {
  const witness = new MemoryWitness();
  await upsert.perform(jobExecution(witness, { job: "j1", execution: "j1/1@1.1" }));
  const once = new Map(witness.values);
  await upsert.perform(jobExecution(witness, { job: "j1", execution: "j1/2@2.1" }));
  expect(witness.values).toEqual(once);
  await upsert.perform(jobExecution(witness, { job: "j2" }));
  expect(new Set(witness.values.values()).size).toBe(2);
  expect(upsert.idempotent).toBe(true);
});

test("invoice: the older token is refused; the control, which has none, writes without", async () => {
  const witness = new MemoryWitness();
  await together(invoice, witness, [2, 1]);
  expect(witness.versions.get("account k1")).toBe(1);
  await invoice.perform(jobExecution(witness));
  expect(witness.versions.get("account k1")).toBe(2);
  expect(invoice.needsFencing).toBe(true);
});
