import { commandsPage } from "./commands.ts";
import { faultsPage } from "./faults.ts";
import { checksPage, oraclesPage } from "./judges.ts";
import { scenariosPage } from "./scenarios.ts";
import { crdtsPage, locksPage, queuesPage } from "./workloads.ts";

/** Every page of the reference: its path within the repository, and its text. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/reference/commands.md": await commandsPage(),
    "docs/reference/locks.md": locksPage(),
    "docs/reference/scenarios.md": scenariosPage(),
    "docs/reference/faults.md": faultsPage(),
    "docs/reference/checks.md": checksPage(),
    "docs/reference/crdts.md": crdtsPage(),
    "docs/reference/oracles.md": oraclesPage(),
    "docs/reference/queues-and-jobs.md": queuesPage(),
  };
}
