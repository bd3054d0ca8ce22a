import { loadPackage } from "../../load-package.ts";
import { npmPackages } from "./packages.ts";
import type { Redlock5Class } from "./redlock-5-family.ts";

export function loadRedlock5(): Redlock5Class {
  return loadPackage<{ default: Redlock5Class }>(npmPackages.redlock5).default;
}
