import { execa } from "execa";
import { type Benchmark, median } from "./figure.ts";

const RUNS = 15;

/** Start-up of the command against that of Node itself, taken in turns. */
export const startup: Benchmark = {
  name: "start-up",
  method: `\`harness --help\` and \`node -e 0\` in turns, ${RUNS} each, medians`,
  async run() {
    const bare: number[] = [];
    const help: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      bare.push(await timeMs(["-e", "0"]));
      help.push(await timeMs(["dist/harness/cli/bin.js", "--help"]));
    }
    const [bareMs, helpMs] = [median(bare), median(help)];
    const measured = `${helpMs.toFixed(0)} ms`;
    const peer = `bare Node ${bareMs.toFixed(0)} ms`;
    return [
      { name: "harness --help", measured, peer, value: helpMs / bareMs, unit: "x", goal: { atMost: 2 } },
      { name: "harness --help, absolute", measured, peer, value: helpMs, unit: "ms", goal: { atMost: 250 } },
    ];
  },
};

async function timeMs(args: string[]): Promise<number> {
  const started = performance.now();
  await execa(process.execPath, args, { stdio: "ignore" });
  return performance.now() - started;
}
