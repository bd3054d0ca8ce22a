import { KIND } from "../plan/event.ts";
import type { Candidate } from "./alphabet.ts";
import type { Past } from "./normal-form.ts";

/** Beyond so many regions that have a name, not every renaming is tried: more than one naming of a schedule is run. */
const MOST_NAMED = 4;
/** As many as a mask of 32 bits holds. */
const MOST_EVENTS = 31;

/**
 * Whether a schedule in normal form is the least of all that it becomes when its regions are renamed and independent
 * events put in order again: of a class of schedules under both, exactly one is. A beginning of a least schedule is a
 * least schedule, so that a search may leave out all that goes on from another.
 * @param past the whole schedule
 * @param named how many regions have a name in it
 */
export function isLeast(past: readonly Past[], named: number): boolean {
  if (named < 2 || named > MOST_NAMED || past.length > MOST_EVENTS) return true;
  const letters = lettersOf(past);
  for (const names of renamings(named)) if (isBelow(letters, names)) return false;
  return true;
}

/** An event, named so that a change of order changes nothing about it. */
interface Letter {
  readonly candidate: Candidate;
  /** Place of the event that made the message which this one works on, -1 if none. */
  readonly maker: number;
  /** Number among the events of its region. */
  readonly number: number;
}

function lettersOf(past: readonly Past[]): Letter[] {
  const numbers: number[] = [];
  return past.map(({ candidate }) => {
    const number = numbers[candidate.region] ?? 0;
    // A link is no more the one end's than the other's.
    if (!isLink(candidate)) numbers[candidate.region] = number + 1;
    return { candidate, number, maker: candidate.message < 0 ? -1 : makerOf(past, candidate.message) };
  });
}

function makerOf(past: readonly Past[], message: number): number {
  let maker = 0;
  while (maker + 1 < past.length && past[maker + 1]!.messagesBefore <= message) maker++;
  return maker;
}

/** Whether the normal form of the renamed schedule comes before the schedule itself. */
function isBelow(letters: readonly Letter[], names: readonly number[]): boolean {
  let done = 0;
  for (let place = 0; place < letters.length; place++) {
    const next = earliest(letters, names, done);
    done |= 1 << next;
    const order = compare(letters, names, next, place);
    if (order !== 0) return order < 0;
  }
  return false;
}

/** Of the events whose causes are done, the one of the first region under its new name. */
function earliest(letters: readonly Letter[], names: readonly number[], done: number): number {
  let found = -1;
  for (let at = 0; at < letters.length; at++) {
    if ((done & (1 << at)) !== 0 || !isReady(letters, at, done)) continue;
    if (found < 0 || names[letters[at]!.candidate.region]! < names[letters[found]!.candidate.region]!) found = at;
  }
  return found;
}

function isReady(letters: readonly Letter[], at: number, done: number): boolean {
  const { candidate, maker } = letters[at]!;
  for (let earlier = 0; earlier < at; earlier++) {
    if ((done & (1 << earlier)) !== 0) continue;
    const other = letters[earlier]!.candidate;
    if (other.region === candidate.region || earlier === maker || other.isGlobal || candidate.isGlobal) return false;
  }
  return true;
}

/** The letter at `renamed`, under new names, against the one at `plain` as it stands. */
function compare(letters: readonly Letter[], names: readonly number[], renamed: number, plain: number): number {
  const [a, b] = [letters[renamed]!, letters[plain]!];
  const [first, second] = regionsOf(a.candidate, names);
  const [ownFirst, ownSecond] = regionsOf(b.candidate);
  if (first !== ownFirst) return first - ownFirst;
  if (a.candidate.what !== b.candidate.what) return a.candidate.what - b.candidate.what;
  if (second !== ownSecond) return second - ownSecond;
  if (a.maker < 0 || b.maker < 0) return a.maker - b.maker;
  const [maker, ownMaker] = [letters[a.maker]!, letters[b.maker]!];
  return names[maker.candidate.region]! - ownMaker.candidate.region || maker.number - ownMaker.number;
}

/** Where the event happens, and whom it names; of a link, its ends in order. */
function regionsOf(candidate: Candidate, names?: readonly number[]): readonly [number, number] {
  const { region, mentions } = candidate;
  const first = names?.[region] ?? region;
  const second = mentions < 0 ? -1 : (names?.[mentions] ?? mentions);
  return isLink(candidate) && second < first ? [second, first] : [first, second];
}

const isLink = ({ event }: Candidate): boolean => event[0] === KIND.cut || event[0] === KIND.heal;

const known: (readonly (readonly number[])[] | undefined)[] = [];

/** Every way to rename so many regions, but the one that leaves all names. */
function renamings(count: number): readonly (readonly number[])[] {
  known[count] ??= permutations(Array.from({ length: count }, (_, name) => name)).slice(1);
  return known[count];
}

function permutations(names: readonly number[]): number[][] {
  if (names.length === 0) return [[]];
  return names.flatMap((name, at) => permutations(names.toSpliced(at, 1)).map((rest) => [name, ...rest]));
}
