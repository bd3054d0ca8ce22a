/** The earliest of several times, ns. A fault of several targets begins with its first. */
export function earliest(timesNs: readonly bigint[]): bigint {
  const [first] = [...timesNs].sort((a, b) => (a < b ? -1 : 1));
  if (first === undefined) throw new Error("a fault without a target has no time");
  return first;
}
