import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = [
  process.env.HARNESS_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The Chromium of this machine, if it has one. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

export const withoutBrowser =
  chromiumPath === undefined ? " (skipped: no Chromium; apt-get install chromium, or name it in HARNESS_CHROMIUM)" : "";

/** A browser that talks to nobody. */
export function launchBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(`No browser${withoutBrowser}`);
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
}
