import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { UsageError } from "../../errors.ts";
import { type FaultEntry, parseEntries } from "./parse.ts";
import { type Piece, pieceOf, planError, type Source } from "./source.ts";

/**
 * The entries of a plan in YAML or JSON: a list, at the top or under `faults`, of texts of the plan language or of maps
 * such as `{name: redis-pause, every: 10s, for: 2s}`. Throws `UsageError` that points into the file.
 */
export function parseStructured(source: Source): FaultEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const reason = error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? "";
    throw new UsageError(`${source.name}:${line}:${col}: it is neither YAML nor JSON: ${reason}`, {
      code: "BAD_FAULT_PLAN",
    });
  }
  const top = document.contents;
  if (top === null) return [];
  const list = isMap(top) ? faultsOf(top, source) : top;
  if (isScalar(list) && typeof list.value === "string") return entriesIn(list, source);
  if (isMap(list)) return [mapEntry(list, source)];
  if (!isSeq(list)) throw planError(pieceAt(list, source), "expected a list of faults.");
  return list.items.flatMap((item) => {
    if (isScalar(item) && typeof item.value === "string") return entriesIn(item, source);
    if (isMap(item)) return [mapEntry(item, source)];
    throw planError(
      pieceAt(item as Node, source),
      "expected a fault: a text such as redis-pause(for=2s), or a map with its name.",
    );
  });
}

type YamlMap = Extract<Node, { items: unknown }> & { get(key: string, keepScalar: true): unknown };

function faultsOf(top: YamlMap, source: Source): Node {
  if (top.get("name", true) !== undefined) return top as unknown as Node;
  const list = top.get("faults", true) as Node | undefined;
  if (!list)
    throw planError(
      pieceAt(top as unknown as Node, source),
      "expected a list of faults, or a map with one under `faults`.",
    );
  return list;
}

/** A text in a file: its pieces are pointed at inside the file as far as that is possible, else as the whole text. */
function entriesIn(scalar: Node & { value: unknown }, source: Source): FaultEntry[] {
  const text = String(scalar.value);
  const start = source.text.indexOf(text, scalar.range?.[0] ?? 0);
  if (start === -1 || start > (scalar.range?.[1] ?? 0)) return parseEntries({ name: source.name, text });
  const shift = (piece: Piece): Piece => ({ ...piece, source, start: piece.start + start, end: piece.end + start });
  return parseEntries({ name: source.name, text }).map((entry) => ({
    name: shift(entry.name),
    arguments: entry.arguments.map(({ name, value }) => ({ name: shift(name), value: shift(value) })),
  }));
}

function mapEntry(map: Node & { items: readonly unknown[] }, source: Source): FaultEntry {
  let name: Piece | undefined;
  const given: { name: Piece; value: Piece }[] = [];
  for (const pair of map.items as readonly { key: Node; value: Node | null }[]) {
    const key = pieceAt(pair.key, source);
    const value = isAbsent(pair.value) ? undefined : valueAt(pair.value, source);
    if (!value) throw planError(key, `${key.text} has no value.`);
    if (key.text === "name" || key.text === "fault") name = value;
    else given.push({ name: key, value });
  }
  if (!name) throw planError(pieceAt(map, source), "this fault has no name.");
  return { name, arguments: given };
}

const isAbsent = (node: Node | null): node is null => node === null || (isScalar(node) && node.value === null);

/** A list of targets is written with + in the language. */
function valueAt(node: Node, source: Source): Piece {
  if (isSeq(node))
    return pieceAt(node, source, node.items.map((item) => (isScalar(item) ? String(item.value) : "")).join("+"));
  if (isScalar(node)) return pieceAt(node, source);
  throw planError(pieceAt(node, source), "expected a single value, such as 2s.");
}

function pieceAt(node: Node, source: Source, text?: string): Piece {
  const [start, end] = node.range ?? [0, 1];
  return pieceOf(
    source,
    start,
    Math.max(end, start + 1),
    text ?? (isScalar(node) ? scalarText(node.value, source, start, end) : undefined),
  );
}

/** Numbers keep the way they were written: 1.50 stays 1.50. */
const scalarText = (value: unknown, source: Source, start: number, end: number): string =>
  typeof value === "string" ? value : source.text.slice(start, end).trim();
