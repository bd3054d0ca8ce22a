import { parentPort, workerData } from "node:worker_threads";
import { serve } from "./child.ts";

serve(parentPort!, workerData);
