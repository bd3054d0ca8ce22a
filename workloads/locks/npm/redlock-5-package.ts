import { loadPackage } from "../../load-package.ts";
import type { Redlock5Class } from "./redlock-5-family.ts";

export function loadRedlock5(): Redlock5Class {
  return loadPackage<{ default: Redlock5Class }>({ name: "redlock", version: "5.0.0-beta.2", alias: "redlock5" })
    .default;
}
