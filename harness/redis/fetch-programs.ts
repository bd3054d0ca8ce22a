import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Apt } from "./apt.ts";
import type { FindSystem, Ran } from "./find-system.ts";
import { libraryFolders, missingLibraries, packagesOfLibrary } from "./shared-libraries.ts";
import { isAccepted, OLDEST_VERSION, versionOfPackage } from "./version.ts";

/** The programs of a family: the server's package may be no more than a link into that of the tools. */
const FAMILIES = [
  { server: "redis-server", tools: "redis-tools", programs: ["redis-server", "redis-cli", "redis-benchmark"] },
  { server: "valkey-server", tools: "valkey-tools", programs: ["valkey-server", "valkey-cli", "valkey-benchmark"] },
] as const;

type Family = (typeof FAMILIES)[number];

const MOST_ROUNDS = 8;

export interface FetchedPrograms {
  /** Path of the server's binary below the folder. */
  server: string;
  /** Paths of the folders with shared libraries below the folder. */
  libraries: string[];
  packages: string[];
}

/**
 * Downloads Redis and the shared libraries that this machine lacks, as Debian packages, and unpacks them.
 *
 * @param folder an empty folder: the programs come into `root` in it
 * @throws Error that says which step failed, in apt's own words
 */
export async function fetchPrograms(
  system: FindSystem,
  apt: Apt,
  folder: string,
  onProgress: (line: string) => void = () => {},
): Promise<FetchedPrograms> {
  const family = await chooseFamily(apt, onProgress);
  const root = join(folder, "root");
  const packages = new Set<string>();
  const fetch = async (names: readonly string[]) => {
    await fetchPackages(apt, names, folder, packages.size === 0);
    for (const name of names) packages.add(name);
  };
  await fetch([family.server, family.tools]);

  for (let round = 0; round < MOST_ROUNDS; round++) {
    const missing = await stillMissing(system, root, family);
    if (missing.length === 0) {
      const relative = (path: string) => path.slice(folder.length + 1);
      return {
        server: relative(join(root, "usr/bin", family.server)),
        libraries: libraryFolders(root).map(relative),
        packages: [...packages],
      };
    }
    const wanted = await packagesFor(missing, apt, [...packages]);
    const fresh = wanted.filter((name) => !packages.has(name));
    if (fresh.length === 0) throw new Error(`no package was found for ${missing.join(", ")}`);
    await fetch(fresh);
  }
  throw new Error("shared libraries are still missing after all that was downloaded");
}

async function chooseFamily(apt: Apt, onProgress: (line: string) => void): Promise<Family> {
  let found = await offered(apt);
  if (found.length === 0) {
    onProgress("This machine has no package lists yet: fetching some of our own");
    mustWork("apt-get update", await apt.updatePrivately());
    found = await offered(apt);
  }
  const accepted = found.find(({ version }) => isAccepted(version));
  if (accepted) return accepted.family;
  if (found.length === 0)
    throw new Error("the package lists of this system know neither redis-server nor valkey-server");
  const versions = found.map(({ family, version }) => `${family.server} ${version}`).join(" and ");
  throw new Error(`the package lists of this system have ${versions}; ${OLDEST_VERSION} or later is needed`);
}

async function offered(apt: Apt): Promise<{ family: Family; version: string }[]> {
  const candidates = await apt.candidates(FAMILIES.flatMap(({ server, tools }) => [server, tools]));
  return FAMILIES.flatMap((family) => {
    const version = versionOfPackage(candidates.get(family.server) ?? "");
    return version && candidates.has(family.tools) ? [{ family, version }] : [];
  });
}

/** Lists that were fetched long ago name files that are gone: the first download is tried again with lists of our own. */
async function fetchPackages(apt: Apt, names: readonly string[], folder: string, first: boolean): Promise<void> {
  const files = join(folder, "packages");
  mkdirSync(files, { recursive: true });
  let downloaded = await apt.download(names, files);
  if (downloaded.exitCode !== 0 && first) {
    mustWork("apt-get update", await apt.updatePrivately());
    downloaded = await apt.download(names, files);
  }
  mustWork(`apt-get download ${names.join(" ")}`, downloaded);
  for (const file of readdirSync(files).filter((name) => name.endsWith(".deb"))) {
    mustWork(`dpkg -x ${file}`, await apt.unpack(join(files, file), join(folder, "root")));
  }
}

async function stillMissing(system: FindSystem, root: string, family: Family): Promise<string[]> {
  const missing = new Set<string>();
  const env = { ...system.env, LC_ALL: "C", LD_LIBRARY_PATH: libraryFolders(root).join(":") };
  for (const program of family.programs) {
    const { stdout, stderr, exitCode } = await system.run("ldd", [join(root, "usr/bin", program)], { env });
    if (exitCode !== 0) throw new Error(`ldd ${program}: ${stderr.trim() || stdout.trim()}`);
    for (const library of missingLibraries(stdout)) missing.add(library);
  }
  return [...missing];
}

/** By name where Debian's policy gives it; otherwise every dependency that could be it. */
async function packagesFor(missing: readonly string[], apt: Apt, holders: readonly string[]): Promise<string[]> {
  const depended = await apt.dependencies(holders);
  const byName = missing.map((library) => packagesOfLibrary(library).find((name) => depended.has(name)));
  const wanted = new Set(byName.filter((name) => name !== undefined));
  if (wanted.size === 0) {
    const known = await apt.candidates(missing.flatMap(packagesOfLibrary));
    for (const name of known.keys()) wanted.add(name);
  }
  if (wanted.size === 0) for (const name of depended) if (name.startsWith("lib")) wanted.add(name);
  return [...wanted];
}

function mustWork(step: string, { exitCode, stdout, stderr }: Ran): void {
  if (exitCode === 0) return;
  const said = `${stderr}\n${stdout}`.split("\n").filter((line) => /^[EW]:/.test(line));
  throw new Error(
    `${step} ended with exit code ${exitCode}${said.length > 0 ? `: ${said.slice(0, 3).join(" ")}` : ""}`,
  );
}
