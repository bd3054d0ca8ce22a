/** The arguments of a request, the command's name first. Slices of the frame, not copies. A frame that was cut to its head gives those that are whole. */
export function requestArguments(frame: Buffer): Buffer[] {
  return frame[0] === 0x2a ? bulkArguments(frame) : inlineArguments(frame);
}

function bulkArguments(frame: Buffer): Buffer[] {
  let { value: count, next } = lengthAt(frame, 1);
  const found: Buffer[] = [];
  while (count-- > 0 && next < frame.length) {
    const { value: length, next: body } = lengthAt(frame, next + 1);
    if (body + length > frame.length) break;
    found.push(frame.subarray(body, body + length));
    next = body + length + 2;
  }
  return found;
}

function lengthAt(frame: Buffer, from: number): { value: number; next: number } {
  const end = frame.indexOf("\r\n", from);
  if (end === -1) return { value: 0, next: frame.length };
  return { value: Number(frame.toString("latin1", from, end)), next: end + 2 };
}

/** Words between blanks, with the quoting of Redis: "..." with escapes, '...' with \' only. */
function inlineArguments(frame: Buffer): Buffer[] {
  const line = frame.toString("latin1", 0, frame.length).replace(/\r?\n$/, "");
  const words = line.match(/"(?:\\.|[^"\\])*"|'(?:\\'|[^'])*'|[^\s"']+/g) ?? [];
  return words.map((word) => Buffer.from(unquoted(word), "latin1"));
}

function unquoted(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll("\\'", "'");
  if (!word.startsWith('"')) return word;
  return word.slice(1, -1).replaceAll(/\\(x[0-9a-fA-F]{2}|.)/g, (_, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return { n: "\n", r: "\r", t: "\t", b: "\b", a: "\x07" }[code] ?? code;
  });
}

/** A request as clients send it. */
export function encodeRequest(words: readonly string[]): Buffer {
  return Buffer.from(
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`,
  );
}
