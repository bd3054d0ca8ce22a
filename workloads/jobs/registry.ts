import type { RegistryEntry } from "../../harness/contracts/module-ref.ts";

/** Every job that ships. */
export const jobRegistry: readonly RegistryEntry[] = [
  { name: "webhook", summary: "Works, then calls a webhook once", module: "jobs/webhook" },
  { name: "email", summary: "Works, then sends a welcome e-mail", module: "jobs/email" },
];
