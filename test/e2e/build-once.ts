import { execa } from "execa";

/** The end-to-end tests drive the built command: build it once, before the first of them, unless it is built already. */
export async function setup(): Promise<void> {
  if (process.env.HOLDFAST_SKIP_BUILD === "1") return;
  await execa("node", ["build.mjs", "--prepare", "--no-types"], { stdio: ["ignore", "ignore", "inherit"] });
}
