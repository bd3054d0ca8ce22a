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

/** The message of anything that was thrown, whatever it is: one sentence, also of what a schema refused. */
export function messageOf(thrown: unknown): string {
  if (hasIssues(thrown)) return describeIssues(thrown);
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
}

/** What a schema found wrong, the first thing first: `rounds.0.faults is missing`. As zod gives it. */
export interface SchemaIssues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

export function describeIssues({ issues }: SchemaIssues): string {
  const [first] = issues;
  if (first === undefined) return "it does not fit";
  const place = first.path.map(String).join(".");
  const wanted = first.message
    .replace(/^Invalid (input|option): /, "")
    .replace(/^Invalid input$/, "not one of its kinds");
  const missing = / received undefined$/.test(wanted);
  const problem = missing && place !== "" ? `${place} is missing` : `${place === "" ? "it" : place}: ${wanted}`;
  const others = issues.length - 1;
  return others === 0 ? problem : `${problem} (and ${others} more)`;
}

function hasIssues(thrown: unknown): thrown is SchemaIssues {
  return thrown instanceof Error && "issues" in thrown && Array.isArray(thrown.issues);
}
