import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { fingerprint } from "../equality/fingerprint.ts";
import type { Region } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import type { World } from "./world.ts";

/**
 * Has a region export a message for a peer and puts it in flight, with what the truth knows about it. Returns its
 * number, or -1 when there was nothing to send.
 * @param encoding index into the adapter's encodings
 * @param throughCodec encode and decode it on the way
 */
export function post(world: World, from: Region, to: number, encoding: number, throughCodec: boolean): number {
  const { adapter, truth, mail } = world;
  const { name, kind } = adapter.encodings[encoding]!;
  const pair = from.index * world.regions.length + to;
  const { request } = world;
  request.peer = world.regions[to]!.id;
  request.since = world.peerVersion[pair];
  request.from = 0;
  request.to = 0;
  const payload = atOnce(from.replica.export(name, request), "export", adapter);
  if (payload === undefined) return -1;
  const message = put(world, from, to, encoding, payload, throughCodec);
  const { words } = truth;
  const known = kind !== "operations" && world.buffered && adapter.exportsPending ? truth.received : truth.known;
  const sure = world.partial && !adapter.exportsPending && !truth.isClosed(from.index);
  const closed = sure ? truth.closedPart(from.index) : undefined;
  for (let word = 0; word < words; word++) {
    const all = closed?.[word] ?? known[from.index * words + word]!;
    const since = kind === "delta" ? world.peerKnown[pair * words + word]! : 0;
    mail.carried[message * words + word] = all & ~since;
    mail.needs[message * words + word] = since;
    mail.knowledge[message * words + word] = truth.known[from.index * words + word]!;
    mail.possible[message * words + word] = world.partial
      ? truth.possible[from.index * words + word]! | known[from.index * words + word]!
      : 0;
  }
  return message;
}

/**
 * Has a region export its own operations number `first` up to `end` for everybody. Puts one message per other region
 * in flight; returns how many.
 */
export function broadcast(
  world: World,
  from: Region,
  encoding: number,
  first: number,
  end: number,
  throughCodec: boolean,
): number {
  const { adapter, truth, mail } = world;
  const request = { peer: "", since: undefined, from: first, to: end };
  const payload = atOnce(from.replica.export(adapter.encodings[encoding]!.name, request), "export", adapter);
  if (payload === undefined) return 0;
  const { words } = truth;
  let original = -1;
  for (let step = 1; step < world.regions.length; step++) {
    const to = (from.index + step) % world.regions.length;
    if (original >= 0) {
      const copy = mail.copy(original, from.index, to, mail.payload[original]);
      mail.copyOf[copy] = -1;
      mail.print[copy] = mail.print[original]!;
      continue;
    }
    original = put(world, from, to, encoding, payload, throughCodec);
    for (let word = 0; word < words; word++) {
      let carried = 0;
      let needs = 0;
      for (let at = first; at < end; at++) {
        const operation = from.own[at]!;
        if (operation >>> 5 === word) carried |= 1 << (operation & 31);
        needs |= truth.deps[operation * words + word]!;
      }
      mail.carried[original * words + word] = carried;
      mail.needs[original * words + word] = needs & ~carried;
      mail.knowledge[original * words + word] = truth.known[from.index * words + word]!;
      mail.possible[original * words + word] = 0;
    }
  }
  return world.regions.length - 1;
}

function put(
  world: World,
  from: Region,
  to: number,
  encoding: number,
  exported: unknown,
  throughCodec: boolean,
): number {
  const { adapter } = world;
  const payload = throughCodec && adapter.codec !== undefined ? recoded(adapter, exported) : exported;
  const message = world.mail.post(from.index, from.life, to, encoding, from.sent++, payload);
  if (world.usesVersions) {
    world.mail.version[message] = world.remembersVersions
      ? atOnce(from.replica.version?.(), "version", adapter)
      : undefined;
  }
  if (world.checksPrints) world.mail.print[message] = fingerprint(payload);
  return message;
}

/** A message through the codec and back. */
export function recoded(adapter: CrdtAdapter, message: unknown): unknown {
  const encoded = atOnce(adapter.codec!.encode(message), "codec.encode", adapter);
  return atOnce(adapter.codec!.decode(encoded), "codec.decode", adapter);
}
