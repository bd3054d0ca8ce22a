import type { LockRegistryEntry } from "../../contracts/module-ref.ts";

/** What the checks are to say of one lock in one scenario. */
export interface Expectation {
  lock: string;
  scenario: string;
  /** Checks that must find something; none: no check may find anything. */
  checks: readonly string[];
}

/**
 * The self-test as data: each broken lock in the scenario that shows what is wrong with it, and each sound one in every
 * scenario that it can stand.
 */
export function expectationsOf(
  locks: readonly LockRegistryEntry[],
  scenarios: readonly { name: string }[],
): Expectation[] {
  return locks.flatMap(({ name: lock, caughtBy, soundBut }): Expectation[] => {
    if (caughtBy) {
      const { scenario, check, and = [] } = caughtBy;
      return [{ lock, scenario, checks: [check, ...and] }];
    }
    if (!soundBut) return [];
    return scenarios
      .filter(({ name }) => soundBut[name] === undefined)
      .map(({ name }) => ({ lock, scenario: name, checks: [] }));
  });
}
