import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { UnavailableError } from "../errors.ts";
import type { Supervisor } from "../supervisor/parent.ts";

const SIZE = "16m";
/** The bit of CAP_SYS_ADMIN, without which root cannot mount either: capabilities(7). */
const CAP_SYS_ADMIN = 21n;

/** @throws UnavailableError where this process may not mount a file system */
export function refuseWithoutMount(): void {
  if (process.platform === "linux" && mayMount()) return;
  throw new UnavailableError(
    "The fault redis-disk-full fills a small disk of its own (tmpfs), which takes root on Linux, in a container also " +
      "--cap-add SYS_ADMIN. Run the harness so, or use redis-misconf, which refuses writes for a like reason.",
    { code: "NO_MOUNT" },
  );
}

function mayMount(): boolean {
  const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${capabilities}`) & (1n << CAP_SYS_ADMIN)) !== 0n;
}

/** A small disk at a new folder; the supervisor sees to its end, should this process not. */
export async function mountSmallDisk(folder: string, supervisor: Supervisor): Promise<{ unmount(): Promise<void> }> {
  const run = promisify(execFile);
  const unmount = ["umount", "-l", folder];
  mkdirSync(folder, { mode: 0o700 });
  await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=700`, "holdfast", folder]);
  supervisor.ownCommand(unmount);
  return {
    async unmount() {
      supervisor.disownCommand(unmount);
      await run("umount", unmount.slice(1));
    },
  };
}
