/** The two regions of the lesson. */
export type LabRegion = "fra" | "cai";

export const LAB_REGIONS: readonly LabRegion[] = ["fra", "cai"];

export const LAB_NAMES: Readonly<Record<LabRegion, string>> = { fra: "Frankfurt", cai: "Cairo" };

export interface RegionStage<State> {
  /** What the region's wall clock shows, in ms. Time moves only when a step says so. */
  readonly wallMs: number;
  readonly state: State;
  /** What the region answered in this step. */
  readonly answer?: Answer;
}

export interface Answer {
  readonly kind: "accepted" | "refused" | "alert";
  readonly text: string;
}

/** Both regions and the link between them. */
export interface Stage<State> {
  readonly fra: RegionStage<State>;
  readonly cai: RegionStage<State>;
  readonly link: "up" | "down";
}

export interface SceneStep<State> {
  /** What happens, in a sentence. */
  readonly say: string;
  /** Why it matters, for a reader who sees it for the first time. */
  readonly why?: string;
  /** Absent: nothing happens, it is only said. */
  readonly act?: (stage: Stage<State>) => Stage<State>;
}

/** One line of a region's column. */
export interface Line {
  readonly label: string;
  readonly value: string;
  /** How the value is kept, for those who want to look inside. */
  readonly inside?: string;
}

/** A scene of the lesson, as data: a start, and steps that are pure functions of the stage. */
export interface Scene<State = unknown> {
  /** `1` to `4`, `5a` to `5e`. */
  readonly id: string;
  readonly title: string;
  /** What one has to know beforehand, paragraph by paragraph. */
  readonly setting: readonly string[];
  readonly start: Stage<State>;
  readonly steps: readonly SceneStep<State>[];
  show(state: State, region: LabRegion): readonly Line[];
  /** What to take home. */
  readonly moral: string;
}

/** What a region shows at a step. */
export interface RegionSnapshot {
  readonly wallMs: number;
  readonly lines: readonly Line[];
  /** Labels of lines that are not what they were a step before. */
  readonly changed: readonly string[];
  /** The wall clock is not what it was a step before. */
  readonly clockMoved: boolean;
  readonly answer?: Answer;
}

export interface PlayedStep {
  /** From 0, the start. */
  readonly number: number;
  readonly say: string;
  readonly why?: string;
  readonly link: "up" | "down";
  readonly fra: RegionSnapshot;
  readonly cai: RegionSnapshot;
}

export interface PlayedScene {
  readonly id: string;
  readonly title: string;
  readonly setting: readonly string[];
  readonly steps: readonly PlayedStep[];
  readonly moral: string;
}
