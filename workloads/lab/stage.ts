import type { Answer, LabRegion, RegionStage, SceneStep, Stage } from "./scene.ts";

/** The region's next state, and what it answered, if it did. */
export type Change<State> = (region: RegionStage<State>) => State | readonly [State, Answer];

/** A step in which one region does something by itself. */
export function at<State>(region: LabRegion, say: string, change: Change<State>, why?: string): SceneStep<State> {
  return step(say, why, (stage) => ({ ...stage, [region]: changed(stage[region], change(stage[region])) }));
}

/** A step in which a message crosses from one region to the other, carrying the sender's state. */
export function send<State>(
  from: LabRegion,
  say: string,
  receive: (receiver: RegionStage<State>, sent: State) => ReturnType<Change<State>>,
  why?: string,
): SceneStep<State> {
  const to = from === "fra" ? "cai" : "fra";
  return step(say, why, (stage) => ({ ...stage, [to]: changed(stage[to], receive(stage[to], stage[from].state)) }));
}

/** A step in which both regions send each other what they have, at the same moment. */
export function cross<State>(
  say: string,
  receive: (receiver: RegionStage<State>, sent: State) => State,
  why?: string,
): SceneStep<State> {
  return step(say, why, ({ fra, cai, link }) => ({
    fra: { ...fra, state: receive(fra, cai.state) },
    cai: { ...cai, state: receive(cai, fra.state) },
    link,
  }));
}

export function linkBreaks<State>(say = "The link between the regions breaks."): SceneStep<State> {
  return step(say, undefined, (stage) => ({ ...stage, link: "down" }));
}

export function linkHeals<State>(say = "The link heals."): SceneStep<State> {
  return step(say, undefined, (stage) => ({ ...stage, link: "up" }));
}

/** A step in which time passes, or one wall clock steps. */
export function clockMoves<State>(
  region: LabRegion | "both",
  byMs: number,
  say: string,
  why?: string,
): SceneStep<State> {
  const moved = (stage: RegionStage<State>) => ({ ...stage, wallMs: stage.wallMs + byMs });
  return step(say, why, (stage) => ({
    fra: region === "cai" ? stage.fra : moved(stage.fra),
    cai: region === "fra" ? stage.cai : moved(stage.cai),
    link: stage.link,
  }));
}

export function refused(text: string): Answer {
  return { kind: "refused", text };
}

export function accepted(text: string): Answer {
  return { kind: "accepted", text };
}

export function alert(text: string): Answer {
  return { kind: "alert", text };
}

function step<State>(
  say: string,
  why: string | undefined,
  act: (stage: Stage<State>) => Stage<State>,
): SceneStep<State> {
  return why === undefined ? { say, act } : { say, why, act };
}

function changed<State>(region: RegionStage<State>, outcome: State | readonly [State, Answer]): RegionStage<State> {
  return isAnswered(outcome)
    ? { wallMs: region.wallMs, state: outcome[0], answer: outcome[1] }
    : { wallMs: region.wallMs, state: outcome };
}

/** States are objects, never lists. */
function isAnswered<State>(outcome: State | readonly [State, Answer]): outcome is readonly [State, Answer] {
  return Array.isArray(outcome);
}
