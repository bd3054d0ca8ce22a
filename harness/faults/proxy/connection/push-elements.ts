/** The first two elements of a push or of an array, where they are strings: the kind of a message and its channel. */
export function pushElements(frame: Buffer): [kind: string | undefined, channel: string | undefined] {
  const firstLine = frame.indexOf("\r\n");
  if (firstLine === -1) return [undefined, undefined];
  const kind = stringAt(frame, firstLine + 2);
  if (!kind) return [undefined, undefined];
  return [kind.text, stringAt(frame, kind.end)?.text];
}

function stringAt(frame: Buffer, at: number): { text: string; end: number } | undefined {
  const lineEnd = frame.indexOf("\r\n", at);
  if (lineEnd === -1) return undefined;
  if (frame[at] === 0x2b) return { text: frame.toString("latin1", at + 1, lineEnd), end: lineEnd + 2 };
  const length = Number(frame.toString("latin1", at + 1, lineEnd));
  if (frame[at] !== 0x24 || !(length >= 0)) return undefined;
  const start = lineEnd + 2;
  return { text: frame.toString("latin1", start, start + length), end: start + length + 2 };
}
