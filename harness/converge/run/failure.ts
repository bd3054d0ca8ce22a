/** What an oracle found in a schedule. The first one ends the schedule. */
export interface Failure {
  /** One of ORACLE_NAMES, or an adapter's own. */
  oracle: string;
  /** Index of the event at which it was seen; the number of events when it was seen at the end. */
  event: number;
  /** Index of the region where it was seen. */
  region: number;
  expected: string;
  actual: string;
}
