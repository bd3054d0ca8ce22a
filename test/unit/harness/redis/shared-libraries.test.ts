import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { libraryFolders, missingLibraries, packagesOfLibrary } from "../../../../harness/redis/shared-libraries.ts";

it("reads what ldd misses, once each", () => {
  const output = `	linux-vdso.so.1 (0x00007fb8207af000)
	liblzf.so.1 => not found
	libjemalloc.so.2 => not found
	libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007fb8206b2000)
	liblzf.so.1 => not found
`;
  expect(missingLibraries(output)).toEqual(["liblzf.so.1", "libjemalloc.so.2"]);
});

// Names as they are in Debian 12 and Ubuntu 24.04.
it.each([
  ["libjemalloc.so.2", "libjemalloc2"],
  ["liblzf.so.1", "liblzf1"],
  ["liblua5.1.so.0", "liblua5.1-0"],
  ["libhiredis.so.0.14", "libhiredis0.14"],
  ["libssl.so.3", "libssl3"],
  ["libssl.so.3", "libssl3t64"],
  ["libstdc++.so.6", "libstdc++6"],
])("knows that %s comes with %s", (library, name) => {
  expect(packagesOfLibrary(library)).toContain(name);
});

it("finds the folders that hold libraries, links included", () => {
  const root = mkdtempSync(join(tmpdir(), "libraries-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["usr/lib/a", "usr/lib/b", "usr/share"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "usr/lib/a/libx.so.1.2"), "");
  symlinkSync("nowhere", join(root, "usr/lib/b/liby.so"));
  writeFileSync(join(root, "usr/share/note.something"), "");
  expect(libraryFolders(root)).toEqual([join(root, "usr/lib/a"), join(root, "usr/lib/b")]);
});
