import type { LabRegion, PlayedScene, PlayedStep, RegionSnapshot, Scene, Stage } from "./scene.ts";

/** Plays a scene: its steps, each with what both regions show after it. The first is the start. */
export function playScene<State>(scene: Scene<State>): PlayedScene {
  const steps: PlayedStep[] = [];
  let stage = scene.start;
  steps.push(played(scene, stage, undefined, { say: "The start." }));
  for (const step of scene.steps) {
    const quiet = withoutAnswers(stage);
    stage = step.act === undefined ? quiet : step.act(quiet);
    steps.push(played(scene, stage, steps.at(-1), step));
  }
  const { id, title, setting, moral } = scene;
  return { id, title, setting, steps, moral };
}

/** The stage after the last step: where another scene may go on. */
export function playedToEnd<State>({ start, steps }: Scene<State>): Stage<State> {
  return steps.reduce((stage, { act }) => (act === undefined ? stage : act(withoutAnswers(stage))), start);
}

function played<State>(
  scene: Scene<State>,
  stage: Stage<State>,
  before: PlayedStep | undefined,
  { say, why }: { say: string; why?: string },
): PlayedStep {
  return {
    number: before === undefined ? 0 : before.number + 1,
    say,
    ...(why === undefined ? {} : { why }),
    link: stage.link,
    fra: snapshot(scene, stage, "fra", before?.fra),
    cai: snapshot(scene, stage, "cai", before?.cai),
  };
}

function snapshot<State>(
  scene: Scene<State>,
  stage: Stage<State>,
  region: LabRegion,
  before: RegionSnapshot | undefined,
): RegionSnapshot {
  const { wallMs, state, answer } = stage[region];
  const lines = scene.show(state, region);
  const changed = lines.filter(({ label, value, inside }) => {
    const earlier = before?.lines.find((line) => line.label === label);
    return before !== undefined && (earlier?.value !== value || earlier.inside !== inside);
  });
  return {
    wallMs,
    lines,
    changed: changed.map(({ label }) => label),
    clockMoved: before !== undefined && before.wallMs !== wallMs,
    ...(answer === undefined ? {} : { answer }),
  };
}

function withoutAnswers<State>({ fra, cai, link }: Stage<State>): Stage<State> {
  return { fra: { wallMs: fra.wallMs, state: fra.state }, cai: { wallMs: cai.wallMs, state: cai.state }, link };
}
