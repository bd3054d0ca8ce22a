import type { Job } from "../../contracts/job.ts";
import type { CreateLock } from "../../contracts/lock-adapter.ts";
import type { QueueModule } from "../../contracts/queue.ts";
import { exportedFunction, loadModule } from "../../load-module.ts";
import type { WorkerAssignment } from "../messages.ts";

export interface Workloads {
  createLock: CreateLock;
  createConsumer: QueueModule["createConsumer"];
  job: Job;
}

/** Loads the lock, the queue and the job of an assignment. */
export async function loadWorkloads({ lock, queue, job }: WorkerAssignment): Promise<Workloads> {
  const [lockModule, queueModule, jobModule] = await Promise.all(
    [lock, queue, job].map(({ path }) => loadModule(path)),
  );
  return {
    createLock: exportedFunction<CreateLock>(lockModule!, "createLock", lock.path),
    createConsumer: exportedFunction<QueueModule["createConsumer"]>(queueModule!, "createConsumer", queue.path),
    job: jobOf(jobModule!, job.path),
  };
}

function jobOf(module: Record<string, unknown>, path: string): Job {
  const job = (module.job ?? module) as Partial<Job>;
  if (typeof job.perform !== "function") throw new Error(`${path} must export \`job\` with a function \`perform\``);
  return job as Job;
}
