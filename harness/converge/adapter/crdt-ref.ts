import type { ModuleRef } from "../../contracts/module-ref.ts";

/** A CRDT to put under test: where its module is, and what it is created with. Can be sent to a thread. */
export interface CrdtRef extends ModuleRef {
  /** As it was named on the command line or in code, for the command that replays a failure. Default: the name. */
  argument?: string;
  /** Options of the adapter, from `--crdt-args`. */
  options?: Readonly<Record<string, unknown>>;
}
