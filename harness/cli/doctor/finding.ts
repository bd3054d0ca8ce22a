/** One thing that was looked at. */
export interface DoctorFinding {
  topic: string;
  state: "fine" | "mind" | "missing";
  text: string;
  /** Figures, for `--json`. */
  facts?: Readonly<Record<string, unknown>>;
}
