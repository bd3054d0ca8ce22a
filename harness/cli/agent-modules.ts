import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { crdtRegistry } from "../../workloads/crdts/registry.ts";
import type { CrdtRef } from "../converge/adapter/crdt-ref.ts";
import { UnavailableError } from "../errors.ts";
import { findWorkload } from "./workloads.ts";

/** The fingerprints of the modules that are no built-in ones, by how they are named. */
export function moduleHashes(crdts: readonly CrdtRef[]): Record<string, string> {
  const own = crdts.filter(({ name, argument }) => !isBuiltIn(argument ?? name));
  return Object.fromEntries(own.map((crdt) => [crdt.argument ?? crdt.name, hashOf(crdt.path)]));
}

/**
 * The data type of an order as it lies on this machine: built in, or a file at the same place below the working folder.
 * @throws UsageError when it is not there
 * @throws UnavailableError when the file is another one
 */
export function findHere(ref: CrdtRef, sha256: string | undefined, cwd: string): CrdtRef {
  const argument = ref.argument ?? ref.name;
  const { path } = findWorkload("crdt", argument, cwd).ref;
  if (sha256 !== undefined && hashOf(path) !== sha256) {
    throw new UnavailableError(
      `${path} is not the file that the campaign is about: give every agent the same checkout.`,
      { code: "OTHER_MODULE" },
    );
  }
  return { ...ref, path };
}

const isBuiltIn = (argument: string): boolean =>
  crdtRegistry.some(({ name }) => name === argument || argument.startsWith(`${name}(`));

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
