/** A line of MONITOR, read. */
export interface MonitorLine {
  /** The server's time, ms since the epoch with its fraction. */
  serverMs: number;
  db: number;
  /** Address of the client; `lua` for a command that a script called. */
  client: string;
  /** Command and arguments, unescaped. */
  words: string[];
}

const HEAD = /^\+?(\d+\.\d+) \[(\d+) (.+?)\] (?=")/;

/**
 * Reads one line of MONITOR, without its line end: `1700000000.123456 [0 127.0.0.1:5000] "set" "k" "v"`. Undefined: it
 * is none, such as the `OK` at the start.
 */
export function parseMonitorLine(line: string): MonitorLine | undefined {
  const head = HEAD.exec(line);
  if (!head) return undefined;
  const [whole, seconds, db, client] = head as unknown as [string, string, string, string];
  const words = readWords(line.slice(whole.length));
  if (!words || words.length === 0) return undefined;
  return { serverMs: milliseconds(seconds), db: Number(db), client, words };
}

/** Without the detour over a product of fractions, which would lose the last digits. */
function milliseconds(seconds: string): number {
  const [whole, fraction = ""] = seconds.split(".") as [string, string?];
  const micro = fraction.padEnd(6, "0").slice(0, 6);
  return Number(`${whole}${micro.slice(0, 3)}.${micro.slice(3)}`);
}

/** Words in quotes, one space apart. Undefined: the line is torn. */
function readWords(text: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] !== '"') return undefined;
    const end = closingQuote(text, at + 1);
    if (end < 0) return undefined;
    const raw = text.slice(at + 1, end);
    words.push(raw.includes("\\") ? unescaped(raw) : raw);
    at = end + 2;
  }
  return words;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

const SHORT: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, a: 7, b: 8 };

/** As `sdscatrepr` of Redis writes them: what is not printable ASCII stands there byte by byte. */
function unescaped(raw: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    if (raw[at] !== "\\") {
      bytes.push(raw.charCodeAt(at));
      continue;
    }
    at += 1;
    const sign = raw[at] as string;
    if (sign === "x") {
      bytes.push(Number.parseInt(raw.slice(at + 1, at + 3), 16));
      at += 2;
    } else bytes.push(SHORT[sign] ?? sign.charCodeAt(0));
  }
  return Buffer.from(bytes).toString("utf8");
}
