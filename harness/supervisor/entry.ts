import { superviseFromStandardInput } from "./child.ts";

await superviseFromStandardInput(process.argv[2] ?? "");
