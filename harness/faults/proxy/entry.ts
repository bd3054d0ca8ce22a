import { runProxyChild } from "./child.ts";

runProxyChild({ seed: Number(process.argv[2] ?? 0) });
