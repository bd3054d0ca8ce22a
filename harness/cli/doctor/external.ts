import { messageOf, UnavailableError } from "../../errors.ts";
import { findLeftoverRuns, type LeftoverSearch, removeLeftoverRun } from "../../redis/leftover-runs.ts";
import { withExternalServer } from "../../redis/topologies/external.ts";
import type { DoctorFinding } from "./finding.ts";

/** How long a server is searched for keys of earlier runs, ms: others use it. */
const SEARCH_LIMIT_MS = 20_000;
const MOST_SHOWN = 5;

/**
 * Looks at a server of somebody else: can it be used, and have runs that were killed left keys there?
 * @param options.removeKeysOf runs whose keys are removed
 */
export async function examineExternal(
  url: string,
  { removeKeysOf }: { removeKeysOf: readonly string[] },
): Promise<DoctorFinding> {
  try {
    return await withExternalServer(url, async ({ version, address, client }) => {
      let removed = 0;
      for (const run of removeKeysOf) removed += await removeLeftoverRun(client, run);
      const said = [
        `${address} can be used (Redis ${version})`,
        ...(removeKeysOf.length === 0 ? [] : [`removed ${keysOf(removed)} of ${removeKeysOf.join(", ")}`]),
      ];
      const search = await findLeftoverRuns(client, SEARCH_LIMIT_MS);
      const facts = { address, version, leftovers: search.runs, removed };
      if (search.runs.length === 0) {
        const none = search.isWhole
          ? "no keys of earlier runs"
          : `no keys of earlier runs among those seen in ${SEARCH_LIMIT_MS / 1000} s`;
        return { topic: "server", state: "fine", text: [...said, none].join("; "), facts };
      }
      return { topic: "server", state: "mind", text: `${said.join("; ")}\n${leftoversText(search)}`, facts };
    });
  } catch (error) {
    const text = error instanceof UnavailableError ? error.message : messageOf(error);
    return { topic: "server", state: "missing", text };
  }
}

/** What lies there and how to be rid of it. The address is left to the reader: it may hold a password. */
function leftoversText({ runs, isWhole }: LeftoverSearch): string {
  const shown = runs.slice(0, MOST_SHOWN);
  const more = runs.length - shown.length;
  const total = runs.reduce((sum, { keys }) => sum + keys, 0);
  const seen = isWhole ? "" : ` (as far as was seen in ${SEARCH_LIMIT_MS / 1000} s)`;
  return [
    `${keysOf(total)} of ${runs.length === 1 ? "a run that was killed, or still goes on" : `${runs.length} runs that were killed, or still go on`}${seen}:`,
    ...shown.map(({ run, keys }) => `  ${run}  ${keysOf(keys)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `If ${runs.length === 1 ? "it is" : "they are"} over: harness doctor --redis URL ${shown.map(({ run }) => `--remove-keys-of ${run}`).join(" ")}`,
  ].join("\n");
}

const keysOf = (count: number): string => (count === 1 ? "1 key" : `${count} keys`);
