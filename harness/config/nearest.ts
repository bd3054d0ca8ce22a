import { distance } from "fastest-levenshtein";

/** The valid name nearest to what was written, or undefined if nothing is near enough to be meant. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const steps = distance(wanted, name.toLowerCase());
    if (steps < bestDistance) [best, bestDistance] = [name, steps];
  }
  return best !== undefined && isNear(wanted, best.toLowerCase(), bestDistance) ? best : undefined;
}

/** ` Did you mean "x"?`, or the list of what there is. Starts with a space. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const all = [...names];
  const nearest = nearestName(written, all);
  if (nearest !== undefined) return ` Did you mean "${nearest}"?`;
  return all.length > 0 ? ` There is: ${all.join(", ")}.` : "";
}

/** Up to a third of the letters wrong (one at least), letters swapped, or the same beginning. */
function isNear(written: string, name: string, steps: number): boolean {
  if (steps <= Math.max(1, Math.floor(Math.max(written.length, name.length) / 3))) return true;
  if (sortedLetters(written) === sortedLetters(name)) return true;
  let shared = 0;
  while (shared < written.length && written[shared] === name[shared]) shared += 1;
  return shared >= Math.max(3, Math.min(written.length, name.length) / 2);
}

const sortedLetters = (text: string): string => [...text].sort().join("");
