import { escapeXml, visible } from "../escape.ts";

export interface TestCase {
  name: string;
  seconds?: number;
  /** What was seen without being a failure. */
  output?: string;
  /** What went wrong; absent: it passed. */
  outcome?: { kind: "failure" | "error" | "skipped"; type: string; message: string; text?: string };
}

export interface TestSuite {
  name: string;
  seconds: number;
  cases: readonly TestCase[];
}

const mostText = 20_000;

/** JUnit's XML, in the dialect that CI systems share: failures are findings, errors mean that there is no verdict. */
export function renderSuites(name: string, timestamp: string, suites: readonly TestSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = suites.reduce((sum, suite) => sum + suite.seconds, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name, ...counts(all), time: seconds.toFixed(3) })}>`,
    ...suites.map((suite) => renderSuite(suite, timestamp)),
    "</testsuites>",
    "",
  ].join("\n");
}

function renderSuite({ name, seconds, cases }: TestSuite, timestamp: string): string {
  return [
    `  <testsuite ${attributes({ name, ...counts(cases), time: seconds.toFixed(3), timestamp: timestamp.replace(/(\.\d+)?Z$/, "") })}>`,
    ...cases.map((one) => renderCase(name, one)),
    "  </testsuite>",
  ].join("\n");
}

function renderCase(suite: string, { name, seconds = 0, output, outcome }: TestCase): string {
  const head = `    <testcase ${attributes({ classname: suite, name, time: seconds.toFixed(3) })}`;
  if (outcome === undefined) {
    if (output === undefined) return `${head}/>`;
    return `${head}>\n      <system-out>${escapeXml(output.slice(0, mostText))}</system-out>\n    </testcase>`;
  }
  const { kind, type, message, text } = outcome;
  const open = kind === "skipped" ? `<skipped ${attributes({ message })}` : `<${kind} ${attributes({ type, message })}`;
  const body = text === undefined || text === "" ? "/>" : `>${escapeXml(text.slice(0, mostText))}</${kind}>`;
  return `${head}>\n      ${open}${body}\n    </testcase>`;
}

function counts(cases: readonly TestCase[]): Record<string, string> {
  const count = (kind: string) => String(cases.filter(({ outcome }) => outcome?.kind === kind).length);
  return { tests: String(cases.length), failures: count("failure"), errors: count("error"), skipped: count("skipped") };
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(visible(value, 1000))}"`)
    .join(" ");
}
