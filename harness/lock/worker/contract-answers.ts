import type { AcquireOutcome, ExtendOutcome, ReleaseOutcome } from "../../contracts/lock-adapter.ts";

/** The lock under test broke its contract, so that nothing that it does means anything. The message names the file. */
export class ContractBreach extends Error {
  override readonly name = "ContractBreach";
}

const ACQUIRE = ["granted", "refused", "failed", "indeterminate"];
const EXTEND = ["extended", "not-owner", "failed", "unknown"];
const RELEASE = ["released", "not-owner", "failed", "unknown"];

/** What acquire answered. @throws ContractBreach */
export function acquireAnswer(answer: AcquireOutcome, path: string): AcquireOutcome {
  refuseUnknown("acquire", answer, ACQUIRE, path);
  if (answer.outcome === "granted" && (typeof answer.token !== "string" || answer.token === "")) {
    throw new ContractBreach(
      `acquire of ${path} returned ${shown(answer)}; what is granted has a \`token\`, a text that identifies the hold`,
    );
  }
  return answer;
}

/** What extend answered. @throws ContractBreach */
export function extendAnswer(answer: ExtendOutcome, path: string): ExtendOutcome {
  return refuseUnknown("extend", answer, EXTEND, path);
}

/** What release answered. @throws ContractBreach */
export function releaseAnswer(answer: ReleaseOutcome, path: string): ReleaseOutcome {
  return refuseUnknown("release", answer, RELEASE, path);
}

/** Calls what may throw where it ought to reject, or return where it ought to promise. */
export function promised<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return Promise.resolve(call());
  } catch (error) {
    return Promise.reject(error);
  }
}

function refuseUnknown<Answer extends { outcome: string }>(
  name: string,
  answer: Answer,
  known: readonly string[],
  path: string,
): Answer {
  if (known.includes((answer as Answer | null | undefined)?.outcome as string)) return answer;
  const wanted = known.map((word) => `"${word}"`).join(" | ");
  throw new ContractBreach(`${name} of ${path} returned ${shown(answer)}; it has to return { outcome: ${wanted} }`);
}

function shown(answer: unknown): string {
  if (typeof answer === "function") return "a function";
  const text = typeof answer === "object" ? safeJson(answer) : String(answer);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "an object";
  }
}
