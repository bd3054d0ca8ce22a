import { ReplyError } from "ioredis";

/** The code of a server's error, as in `-READONLY You can't write against a read only replica.`, behind what libraries add. */
const SERVER_ERROR = /(?:^|: )[A-Z]{3,}[A-Z0-9_]* /;

/**
 * Did the server itself refuse the command? Any other error, such as a lost connection or a time limit, leaves open
 * whether it was carried out. Libraries wrap errors and keep only the message: there the code tells.
 */
export function isServerRefusal(error: unknown): boolean {
  if (error instanceof ReplyError) return true;
  if (!(error instanceof Error)) return false;
  return SERVER_ERROR.test(error.message) || (error.cause !== undefined && isServerRefusal(error.cause));
}

/** What an acquire that threw came to: not held for certain, or nobody knows. */
export function acquireError(error: unknown): { outcome: "failed" | "indeterminate"; error: unknown } {
  return { outcome: isServerRefusal(error) ? "failed" : "indeterminate", error };
}

/** The same for a release or an extension. */
export function updateError(error: unknown): { outcome: "failed" | "unknown"; error: unknown } {
  return { outcome: isServerRefusal(error) ? "failed" : "unknown", error };
}
