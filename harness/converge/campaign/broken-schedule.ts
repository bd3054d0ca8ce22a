/** A schedule that took its hand along. */
export interface BrokenSchedule {
  index: number;
  event: number;
  reason: string;
}
