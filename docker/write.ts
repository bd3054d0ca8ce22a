import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { composeFiles } from "./topologies.ts";

for (const [name, text] of Object.entries(composeFiles())) writeFileSync(join(import.meta.dirname, name), text);
