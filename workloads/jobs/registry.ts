import type { RegistryEntry } from "../../harness/contracts/module-ref.ts";

/** Every job that ships. */
export const jobRegistry: readonly RegistryEntry[] = [
  { name: "webhook", summary: "Works, then calls a webhook once", module: "jobs/webhook" },
  { name: "email", summary: "Works, then sends a welcome e-mail", module: "jobs/email" },
  {
    name: "read-modify-write",
    summary: "Reads a counter shared by its key, works, writes it back: two at once lose an update",
    module: "jobs/read-modify-write",
  },
  {
    name: "upsert",
    summary: "Works, then sets a row that follows from the job alone: done twice, it is the same row",
    module: "jobs/upsert",
  },
  {
    name: "invoice",
    summary: "Writes the next invoice number of its account with a fencing token, which old holders are refused by",
    module: "jobs/invoice",
  },
];
