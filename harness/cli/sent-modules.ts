import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ModuleRef } from "../contracts/module-ref.ts";
import { UnavailableError } from "../errors.ts";
import type { WorkerAssignment } from "../lock/messages.ts";
import type { SentModule } from "../lock/remote/wire.ts";
import { builtFile } from "../package-root.ts";
import { findWorkload } from "./workloads.ts";

/** What hosts have to have beside this build: the user's own modules, by their path here. */
export function sentModules({ lock, queue, job }: WorkerAssignment, cwd: string): Record<string, SentModule> {
  const own = [lock, queue, job].filter(({ path }) => !path.startsWith(builtFile("workloads")));
  return Object.fromEntries(own.map(({ path }) => [path, { file: relative(cwd, path), sha256: hashOf(path) }]));
}

/**
 * A module of an assignment as it lies on this host: built in, or a file at the same place below the working folder.
 * @throws UnavailableError when it is not there, or is another one
 */
export function findSentModule(
  kind: "lock" | "queue" | "job",
  { name }: ModuleRef,
  sent: SentModule | undefined,
  cwd: string,
): ModuleRef {
  if (!sent) return findWorkload(kind, name, cwd).ref;
  const path = resolve(cwd, sent.file);
  const problem = !existsSync(path) ? "is not here" : hashOf(path) !== sent.sha256 ? "is another file here" : undefined;
  if (problem === undefined) return { name, path };
  throw new UnavailableError(
    `The ${kind} ${sent.file} of the run ${problem} (${path}): start harness worker in a checkout of the same files.`,
    { code: "OTHER_MODULE" },
  );
}

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
