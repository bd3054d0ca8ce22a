#!/usr/bin/env node
import { main } from "./main.ts";

const code = await main(process.argv.slice(2));
// Whatever is still open (a timer, a socket) does not keep the command from ending; what was written is out by then.
process.stdout.write("", () => process.exit(code));
