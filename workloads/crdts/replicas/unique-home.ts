import { pureAdapter } from "./pure-adapter.ts";
import { uniqueHomeType } from "./unique.ts";

export const createAdapter = () => pureAdapter(uniqueHomeType);
