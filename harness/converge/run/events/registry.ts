import { EVENT_KINDS, type EventKind } from "../../plan/event.ts";
import type { World } from "../world.ts";
import { againEvent } from "./again.ts";
import { amnesiaEvent } from "./amnesia.ts";
import { clockEvent } from "./clock.ts";
import { collectEvent } from "./collect.ts";
import { cutEvent, healEvent } from "./cut.ts";
import { deliverEvent } from "./deliver.ts";
import { forwardEvent } from "./forward.ts";
import { loseEvent } from "./lose.ts";
import { operationEvent } from "./operation.ts";
import { restartEvent } from "./restart.ts";
import { sendEvent } from "./send.ts";

/** Does what an event says with its arguments a, b and c. False: there was nothing to do. */
export type EventFunction = (world: World, a: number, b: number, c: number) => boolean;

const BY_KIND: Readonly<Record<EventKind, EventFunction>> = {
  operation: operationEvent,
  clock: clockEvent,
  send: sendEvent,
  deliver: deliverEvent,
  again: againEvent,
  lose: loseEvent,
  cut: cutEvent,
  heal: healEvent,
  restart: restartEvent,
  amnesia: amnesiaEvent,
  collect: collectEvent,
  forward: forwardEvent,
};

/** By number of the kind. */
export const EVENTS: readonly EventFunction[] = EVENT_KINDS.map((kind) => BY_KIND[kind]);
