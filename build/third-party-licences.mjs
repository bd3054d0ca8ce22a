import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The licence notices of every package of which something was bundled.
 * @param metafile what esbuild says of the build
 * @param root absolute path that the metafile's paths count from
 */
export function thirdPartyLicences(metafile, root) {
  const folders = new Set();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
      if (folder !== undefined && bytesInOutput > 0) folders.add(join(root, folder));
    }
  }
  const packages = [...folders].map(notice).sort((a, b) => (a.title < b.title ? -1 : 1));
  const head =
    "The built files of this package contain code of the packages below, each under its own licence.\n" +
    packages.map(({ title, licence }) => `\n- ${title} (${licence})`).join("");
  return `${[head, ...packages.map(({ title, licence, text }) => `${title}\nLicence: ${licence}\n\n${text}`)].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

function notice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(manifestOf(folder), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|-|$)/i.test(entry));
  const by = typeof author === "string" ? author : (author?.name ?? "its authors");
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Copyright ${by}`;
  if (license === undefined) throw new Error(`${name} states no licence and cannot be bundled`);
  return { title: `${name} ${version}`, licence: String(license), text };
}

/** Packages may hold package.json files of a few lines further down; the one with a version is theirs. */
function manifestOf(folder) {
  const manifest = join(folder, "package.json");
  return existsSync(manifest) ? manifest : manifestOf(dirname(folder));
}
