import { execFileSync } from "node:child_process";
import { execa } from "execa";
import { bin } from "./run-harness.ts";

/** A network of its own in which 127.0.0.1 is the only loopback address, as on macOS. It takes root. */
const alone = [
  "unshare",
  "--net",
  "sh",
  "-c",
  'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo && exec "$@"',
  "sh",
] as const;

export function canBeAlone(): boolean {
  try {
    execFileSync(alone[0], [...alone.slice(1), "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const load = ["--workers", "2", "--rounds", "1", "--rate", "600", "--job-time", "constant(20ms)"];

/** `harness lock --json` of a small load, in such a network. */
export function lockAlone(args: readonly string[], cwd: string) {
  const [file, ...rest] = [...alone, process.execPath, bin, "lock", "--json", ...load, ...args];
  return execa(file, rest, { cwd, reject: false });
}
