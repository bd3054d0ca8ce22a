interface Round {
  arrivals: readonly unknown[];
}

/**
 * A plan as it is stored in plan.json and as `--dry-run --json` prints it: the same plan always gives the same bytes.
 * Of a lock's plan, which is long, each arrival takes one line.
 */
export function serializePlan(plan: object): string {
  const { rounds } = plan as { rounds?: unknown };
  if (!isRounds(rounds)) return `${JSON.stringify(plan, null, 1)}\n`;
  const shell = JSON.stringify({ ...plan, rounds: undefined }, null, 1).replace(/\n\}$/, ',\n "rounds": [');
  return `${shell}\n${rounds.map(serializeRound).join(",\n")}\n ]\n}\n`;
}

function serializeRound({ arrivals, ...head }: Round): string {
  const shell = JSON.stringify({ ...head, arrivals: [] }).replace(/\[\]\}$/, "[");
  if (arrivals.length === 0) return `  ${shell}]}`;
  return `  ${shell}\n${arrivals.map((arrival) => `   ${JSON.stringify(arrival)}`).join(",\n")}\n  ]}`;
}

const isRounds = (rounds: unknown): rounds is readonly Round[] =>
  Array.isArray(rounds) && rounds.every((round) => Array.isArray((round as Partial<Round> | null)?.arrivals));
