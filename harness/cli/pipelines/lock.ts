import { UnavailableError } from "../../errors.ts";
import type { CommandIo } from "../io.ts";
import type { LockRequest } from "../lock-request.ts";

/** Carries a lock run out and gives the exit code. */
export async function runLock(_request: LockRequest, _io: CommandIo): Promise<number> {
  throw new UnavailableError("This build plans lock experiments and does not run them yet: add --dry-run.", {
    code: "NOT_BUILT",
  });
}
