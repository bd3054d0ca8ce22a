// Bundles the command, its child processes and the workloads into dist/. The new build is made beside the old one and
// swapped in at the end: a failed build leaves the old one in place.
//   node build.mjs             build, types included
//   node build.mjs --no-types  build without the type declarations (for quick turns)
//   node build.mjs --prepare   the same as the first, but a no-op where the development dependencies are absent
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeCommonJs } from "./build/commonjs.mjs";
import { pruneTypes } from "./build/prune-types.mjs";
import { thirdPartyLicences } from "./build/third-party-licences.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const flags = new Set(process.argv.slice(2));

// Small packages that every start needs, or that only a report needs: bundled, since loading them one file at a time
// more than doubles the start-up time. All else stays an import, resolved where the package is installed.
const bundledPackages = new Set([
  "yargs",
  "zod",
  "picocolors",
  "yaml",
  "pure-rand",
  "fastest-levenshtein",
  "tinybench",
  "tinyqueue",
  "d3-random",
  "d3-scale",
  "d3-shape",
  "execa",
  "ioredis",
]);

/** What the package exports; vitest's own helper is for ES modules only, as vitest is. */
const exported = ["harness/cli/library", "harness/cli/assert", "harness/cli/vitest"];
const alsoByRequire = exported.filter((entry) => !entry.endsWith("vitest"));

const packageName = (specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

const onlyListedPackages = {
  name: "only-listed-packages",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point" || importer.includes("node_modules")) return undefined;
      return path.startsWith("node:") || !bundledPackages.has(packageName(path)) ? { path, external: true } : undefined;
    });
  },
};

/** zod brings its messages in sixty languages, half a megabyte that every command would load. */
const englishOnly = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

function sourceFiles(folder, accept) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && accept(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function bundle(esbuild, outdir) {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      ...["harness/cli/bin", ...exported].map((entry) => `${entry}.ts`),
      ...sourceFiles("harness", (name) => name === "entry.ts"),
      ...sourceFiles("workloads", () => true),
    ],
    outdir,
    outbase: ".",
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    platform: "node",
    format: "esm",
    target: "node20.19",
    // What is built stays readable; maps would double the package, and point to sources that it does not hold.
    sourcemap: false,
    logLevel: "warning",
    metafile: true,
    // Packages in CommonJS that are bundled need a require of their own.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    plugins: [onlyListedPackages, englishOnly],
  });
  chmodSync(join(outdir, "harness/cli/bin.js"), 0o755);
  writeFileSync(join(outdir, "THIRD-PARTY-LICENCES.txt"), thirdPartyLicences(metafile, root));
}

function declareTypes(outdir) {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.types.json"];
  const child = spawn(process.execPath, [...args, "--outDir", join(outdir, "types")], { cwd: root, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`tsc ended with code ${code}`))));
  });
}

/** What a build is made from. `npx harness` in a checkout prepares the package again: the same sources need no new build. */
function fingerprint() {
  const sources = ["harness", "workloads", "reports"].flatMap((folder) => sourceFiles(folder, () => true));
  const helpers = readdirSync(join(root, "build"))
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => `build/${name}`);
  const files = [...sources, ...helpers, "build.mjs", "package.json", "tsconfig.json", "tsconfig.types.json"].sort();
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

const stampFile = join(root, "dist", "built-from");
const stamp = fingerprint();
if (flags.has("--prepare") && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) process.exit(0);

let esbuild;
try {
  esbuild = await import("esbuild");
} catch (error) {
  if (flags.has("--prepare")) process.exit(0);
  throw error;
}
const fresh = mkdtempSync(join(root, "dist.new-"));
try {
  const types = !flags.has("--no-types");
  await Promise.all([bundle(esbuild, fresh), types ? declareTypes(fresh) : undefined]);
  for (const entry of alsoByRequire) await writeCommonJs({ outdir: fresh, entry, types });
  if (types) {
    const kept = [...exported.map((entry) => `${entry}.d.ts`), ...alsoByRequire.map((entry) => `${entry}.d.cts`)];
    pruneTypes(join(fresh, "types"), kept);
  }
  // A build without types is for quick turns, and not taken for a whole one.
  if (types) writeFileSync(join(fresh, "built-from"), stamp);
  const old = `${fresh}.old`;
  if (existsSync(join(root, "dist"))) renameSync(join(root, "dist"), old);
  renameSync(fresh, join(root, "dist"));
  rmSync(old, { recursive: true, force: true });
} catch (error) {
  rmSync(fresh, { recursive: true, force: true });
  console.error(`The build failed; the build before it is untouched. ${error.message}`);
  process.exit(1);
}
