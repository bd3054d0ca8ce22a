/**
 * Errors that end the command with a known exit code. The message says what happened, with which value, and what to do
 * next; it is printed as it is, without a stack.
 */
export class HarnessError extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(message: string, { code, exitCode, cause }: { code: string; exitCode: number; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** Bad usage or configuration: nothing was started. Exit code 64. */
export class UsageError extends HarnessError {
  constructor(message: string, { code = "USAGE", cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { code, exitCode: 64, cause });
  }
}

/** Something needed is not there (no Redis, a port, a package). The message says how to get it. Exit code 69. */
export class UnavailableError extends HarnessError {
  constructor(message: string, { code = "UNAVAILABLE", cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { code, exitCode: 69, cause });
  }
}

/** The message of anything that was thrown, whatever it is. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
}
