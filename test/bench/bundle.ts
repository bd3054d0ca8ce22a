import { join } from "node:path";
import { build } from "esbuild";

/** Bundles a program of a benchmark; gives its path, inside the checkout, where it finds its packages. */
export async function bundleProgram(entryPoint: string): Promise<string> {
  const name = entryPoint.replace(/^test\/bench\//, "").replace(/\.ts$/, ".mjs");
  const outfile = join(process.cwd(), "node_modules/.cache/holdfast-bench", name);
  await build({
    ...{ entryPoints: [entryPoint], outfile, bundle: true, packages: "external", logLevel: "warning" },
    ...{ platform: "node", format: "esm", target: "node20.19" },
  });
  return outfile;
}
