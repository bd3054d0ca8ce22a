import { pureAdapter } from "./pure-adapter.ts";
import { uniqueLocalType } from "./unique.ts";

export const createAdapter = () => pureAdapter(uniqueLocalType);
