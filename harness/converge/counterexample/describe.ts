import type { Operation } from "../../contracts/crdt-fields.ts";
import { show, writeKey } from "../equality/show.ts";
import { EVENT_KINDS } from "../plan/event.ts";
import type { World } from "../run/world.ts";

/** What the event that just ran did, in one sentence without a full stop. */
export function describeEvent(world: World, kind: number, didSomething: boolean): string {
  const name = EVENT_KINDS[kind]!;
  if (!didSomething) return `nothing to do (${name})`;
  const { regions, mail, lastRegion, lastMessage, lastChoice, lastDetail, lastRefusal } = world;
  const { id } = regions[lastRegion]!;
  const sender = lastMessage >= 0 && lastMessage < mail.count ? regions[mail.from[lastMessage]!]!.id : "";
  switch (name) {
    case "operation":
      return `${id} ${describeOperation(world.lastOperation!)}${refused(lastRefusal)}`;
    case "clock":
      return `${id}'s wall clock steps by ${lastChoice > 0 ? "+" : ""}${lastChoice} ms`;
    case "send":
      return describeSend(world);
    case "deliver":
      return `${id} receives m${lastMessage} of ${sender}${refused(lastRefusal)}`;
    case "again":
      return `${id} receives m${lastMessage} of ${sender} ${mail.taken[lastMessage]! > 1 ? "again" : "late"}${refused(lastRefusal)}`;
    case "lose":
      return `m${lastMessage} from ${sender} to ${id} is lost`;
    case "cut":
      return `the link between ${id} and ${regions[lastChoice]!.id} breaks`;
    case "heal":
      return `the link between ${id} and ${regions[lastChoice]!.id} heals`;
    case "restart":
      return `${id} restarts from what it saved${lastDetail === "" ? "" : `, without its ${lastDetail}`}`;
    case "amnesia":
      return lastDetail === ""
        ? `${world.regions[lastRegion]!.regions[lastRegion]} loses everything and comes back empty as ${id}`
        : `${id} loses everything and comes back empty under the same id`;
    case "collect":
      return `${id} collects garbage`;
    case "forward":
      return `${id} passes a message of ${sender} on to ${regions[mail.to[lastMessage]!]!.id} as m${lastMessage}`;
  }
}

const refused = (refusal: string | undefined): string => (refusal === undefined ? "" : `, and refuses it: ${refusal}`);

function describeSend({ regions, mail, adapter, lastRegion, lastMessage, lastMessages, lastDetail }: World): string {
  const { id } = regions[lastRegion]!;
  const encoding = `${adapter.encodings[mail.encoding[lastMessage]!]!.name}${lastDetail}`;
  if (lastMessages === 1) return `${id} sends m${lastMessage} (${encoding}) to ${regions[mail.to[lastMessage]!]!.id}`;
  return `${id} sends m${lastMessage} to m${lastMessage + lastMessages - 1} (${encoding}) to all`;
}

function describeOperation({ kind, field, key, value, element, amount, index, to }: Operation): string {
  const place = key === "" ? field : `${field}.${writeKey(key)}`;
  switch (kind) {
    case "set":
      return `sets ${place} to ${show(value)}`;
    case "delete":
      return `deletes ${place}`;
    case "add":
      return `adds ${show(element)} to ${place}`;
    case "remove":
      return `removes ${show(element)} from ${place}`;
    case "increment":
      return amount < 0 ? `takes ${-amount} from ${place}` : `adds ${amount} to ${place}`;
    case "decrement":
      return `takes ${amount} from ${place}`;
    case "reset":
      return `resets ${place}`;
    case "transfer":
      return `gives rights to ${amount} of ${place} to ${to}`;
    case "insert":
      return `inserts ${show(value)} at ${index} of ${place}`;
    case "erase":
      return `erases item ${index} of ${place}`;
    case "claim":
      return `claims ${place} for ${show(value)}`;
    case "own":
      return value === undefined ? field : `${field} ${show(value)}`;
  }
}
