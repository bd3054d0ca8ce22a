import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FindSystem, Ran } from "./find-system.ts";
import { onPath } from "./programs.ts";

const UPDATE_TIMEOUT_MS = 300_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;

/** Debian's package tools, used without root and without changing the system. */
export interface Apt {
  // Each call reads all package lists anew, which takes a good part of a second: hence many names in one call.
  /** Versions that would be downloaded, by package; a package that the lists do not know is left out. */
  candidates(names: readonly string[]): Promise<Map<string, string>>;
  /** Names of the packages that the given ones depend on, alternatives included. */
  dependencies(names: readonly string[]): Promise<Set<string>>;
  /** Puts the .deb files of the packages into the folder. */
  download(names: readonly string[], folder: string): Promise<Ran>;
  /** Unpacks one .deb file. */
  unpack(file: string, folder: string): Promise<Ran>;
  /** Fetches package lists of our own, used from then on. */
  updatePrivately(): Promise<Ran>;
}

export function hasApt(system: FindSystem): boolean {
  return system.platform === "linux" && ["apt-get", "apt-cache", "dpkg", "ldd"].every((name) => onPath(system, name));
}

/** @param stateFolder where package lists of our own may be kept */
export function createApt(system: FindSystem, stateFolder: string): Apt {
  const env = { ...system.env, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" };
  const network = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30", "-o", "Acquire::https::Timeout=30"];
  // As root, apt downloads as the user _apt, who cannot write here; it would do so all the same, with a warning.
  const sandbox = system.uid === 0 ? ["-o", "APT::Sandbox::User=root"] : [];
  let state: string[] = [];
  const apt = (program: string, args: readonly string[], options: { cwd?: string; timeoutMs?: number } = {}) =>
    system.run(program, ["-q", ...state, ...sandbox, ...args], { env, ...options });

  return {
    async candidates(names) {
      const { stdout } = await apt("apt-cache", ["policy", ...names]);
      const found = [...stdout.matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (\S+)$/gm)];
      return new Map(
        found.map(([, name = "", version = ""]) => [name, version] as const).filter(([, v]) => v !== "(none)"),
      );
    },
    async dependencies(names) {
      const { stdout } = await apt("apt-cache", ["depends", "--no-suggests", "--no-recommends", ...names]);
      return new Set([...stdout.matchAll(/^\s*\|?(?:Depends|PreDepends): (\S+)$/gm)].map(([, on]) => on as string));
    },
    download: (names, folder) =>
      apt("apt-get", [...network, "download", ...names], { cwd: folder, timeoutMs: DOWNLOAD_TIMEOUT_MS }),
    unpack: (file, folder) => system.run("dpkg", ["-x", file, folder], { env }),
    updatePrivately() {
      for (const folder of ["state/lists/partial", "cache/archives/partial"]) {
        mkdirSync(join(stateFolder, folder), { recursive: true });
      }
      state = [
        `Dir::State=${join(stateFolder, "state")}`,
        `Dir::State::lists=${join(stateFolder, "state/lists")}`,
        "Dir::State::status=/var/lib/dpkg/status",
        `Dir::Cache=${join(stateFolder, "cache")}`,
        `Dir::Cache::archives=${join(stateFolder, "cache/archives")}`,
      ].flatMap((option) => ["-o", option]);
      return apt("apt-get", [...network, "update"], { timeoutMs: UPDATE_TIMEOUT_MS });
    },
  };
}
