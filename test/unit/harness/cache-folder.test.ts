import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { cacheFolder } from "../../../harness/cache-folder.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "cache-folder-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
});

describe("cacheFolder", () => {
  it("takes HOLDFAST_CACHE, else XDG_CACHE_HOME, else the home folder", () => {
    const env = { HOLDFAST_CACHE: join(base, "a/b"), XDG_CACHE_HOME: join(base, "xdg"), HOME: join(base, "home") };
    expect(cacheFolder(env)).toBe(join(base, "a/b"));
    expect(cacheFolder({ ...env, HOLDFAST_CACHE: "" })).toBe(join(base, "xdg/holdfast"));
    expect(cacheFolder({ ...env, HOLDFAST_CACHE: "", XDG_CACHE_HOME: "relative" })).toBe(
      join(base, "home/.cache/holdfast"),
    );
    expect(existsSync(join(base, "home/.cache/holdfast"))).toBe(true);
  });

  it("goes to the temporary folder where it cannot write, with a folder that only this user can write", () => {
    writeFileSync(join(base, "file"), "");
    const found = cacheFolder({ HOLDFAST_CACHE: join(base, "file/below") }, base);
    expect(found).toBe(join(base, `holdfast-cache-${process.getuid?.()}`));
    expect(statSync(found).mode & 0o077).toBe(0);
    expect(cacheFolder({}, base)).toBe(found);
  });

  it("does not trust a folder in the temporary folder that others could have filled", () => {
    const own = join(base, `holdfast-cache-${process.getuid?.()}`);
    mkdirSync(own);
    chmodSync(own, 0o777);
    expect(cacheFolder({}, base)).not.toBe(own);

    rmSync(own, { recursive: true });
    mkdirSync(join(base, "elsewhere"));
    symlinkSync(join(base, "elsewhere"), own);
    expect(cacheFolder({}, base)).not.toBe(own);
  });
});
