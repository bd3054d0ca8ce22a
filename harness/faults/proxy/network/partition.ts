import type { FaultParameter, FaultParameters } from "../../../contracts/fault.ts";
import { type Direction, type Link, networkFault, textOf } from "../network-fault.ts";
import { toxicity } from "./parameters.ts";

const parameters = (mode: "hold" | "lose") =>
  ({
    a: {
      type: "endpoints",
      needs: "b",
      summary: "One side, names joined by +: client:1+client:2+node:1. Without a and b the targets are cut off",
    },
    b: { type: "endpoints", needs: "a", summary: "The other side" },
    way: {
      type: "enum",
      summary: "Which way nothing passes between the sides",
      values: ["both", "a-to-b", "b-to-a"],
      default: "both",
    },
    direction: {
      type: "enum",
      summary: "Without a and b: which bytes do not pass",
      values: ["requests", "replies", "both"],
      default: "both",
    },
    mode: {
      type: "enum",
      summary: "hold: bytes arrive late, as TCP sends again; lose: they are gone, and so is the connection in the end",
      values: ["hold", "lose"],
      default: mode,
    },
    toxicity,
  }) as const satisfies Record<string, FaultParameter>;

/** Two sets of processes do not reach each other; TCP goes on where it was when the network is back. */
export const partition = networkFault({
  name: "partition",
  summary: "Two sets of processes are cut off from each other, both ways or one way; bytes arrive when it is over",
  parameters: parameters("hold"),
  look: { colour: "network", pattern: "hatch" },
  choosesLinks: namesSides,
  prepare: (given) => cutOff(given, "hold"),
});

/** Swallows every byte. Connections that lost some are reset at the end. */
export const blackHole = networkFault({
  name: "black-hole",
  summary: "Every byte is swallowed; connections that lost some are reset when it is over",
  parameters: parameters("lose"),
  look: { colour: "network", pattern: "cross" },
  choosesLinks: namesSides,
  prepare: (given) => cutOff(given, "lose"),
});

function cutOff(given: FaultParameters, fallback: "hold" | "lose") {
  const mode = textOf<"hold" | "lose">(given, "mode", fallback);
  const directionsOf = namesSides(given) ? (link: Link) => between(given, link) : () => targeted(given);
  return (link: Link) => ({ gate: Object.fromEntries(directionsOf(link).map((direction) => [direction, mode])) });
}

function namesSides(given: FaultParameters): boolean {
  return given.a !== undefined && given.b !== undefined;
}

function targeted(given: FaultParameters): Direction[] {
  const direction = textOf<Direction | "both">(given, "direction", "both");
  return direction === "both" ? ["requests", "replies"] : [direction];
}

function between(given: FaultParameters, { source, node }: Link): Direction[] {
  const [a, b] = [namesIn(given, "a"), namesIn(given, "b")];
  const way = textOf(given, "way", "both");
  const [aToB, bToA] = [way !== "b-to-a", way !== "a-to-b"];
  const blocked = (request: boolean, reply: boolean): Direction[] => [
    ...(request ? ["requests" as const] : []),
    ...(reply ? ["replies" as const] : []),
  ];
  if (a.includes(source) && b.includes(node)) return blocked(aToB, bToA);
  if (b.includes(source) && a.includes(node)) return blocked(bToA, aToB);
  return [];
}

const namesIn = (given: FaultParameters, side: "a" | "b") =>
  textOf(given, side, "")
    .split("+")
    .map((name) => name.trim().replace(/^worker:/, "client:"));
