import { apply, FREE, type ModelOperation, onlyReads } from "./model.ts";

/** Why a history has no order: the operation that no order could explain by the time it returned. */
export interface Unexplained<Source> {
  operation: ModelOperation<Source>;
  /** Holds that could have had the key just before; FREE among them if it could have been free. */
  possible: readonly number[];
}

export type Verdict<Source> =
  | { linearizable: true }
  | { linearizable: false; unexplained: Unexplained<Source> }
  /** Too many orders are possible to look at all of them. */
  | { linearizable: "too many orders" };

/** One way the key may have gone so far. */
interface Configuration {
  state: number;
  /**
   * Called, not yet returned, and in this way already done; ascending positions. Releases and expiries that may never
   * happen are left out: they take a hold away, and no hold comes twice.
   */
  done: readonly number[];
  /** How many of the interchangeable acquires took effect: always the first called, which lose nothing against later ones. */
  taken: number;
}

/** Ways to follow at once, before giving up. */
const MOST_CONFIGURATIONS = 50_000;

/**
 * Is there an order of the operations, each between its call and its return, that the model of one key allows?
 *
 * Just-in-time linearization (Lowe 2017): operations are put in order only when one returns that has not been put yet;
 * then every sequence of open ones that ends in it is tried. Reads are put as soon as they are legal, which never
 * hurts. Indeterminate acquires of which nothing more was heard are interchangeable: they differ only in the time from
 * which they may expire, so that the first called is always the best to use. That keeps their number from multiplying
 * the ways.
 */
export function linearize<Source>(operations: readonly ModelOperation<Source>[]): Verdict<Source> {
  const search = new Search(operations, interchangeable(operations));
  for (const { position, returns } of momentsOf(operations)) {
    if (!returns) {
      search.call(position);
      continue;
    }
    const possible = search.states();
    const outcome = search.require(position);
    if (outcome === "too many") return { linearizable: "too many orders" };
    if (outcome === "impossible") {
      return { linearizable: false, unexplained: { operation: operations[position]!, possible } };
    }
  }
  return { linearizable: true };
}

/**
 * Acquires that nobody knows of and nothing but their expiry belongs to, by call. Only as far as they may expire in the
 * same order: the one called first must lose nothing against a later one.
 */
function interchangeable(operations: readonly ModelOperation[]): number[] {
  const heardOf = new Set<number>();
  const expiresNs = new Map<number, number>();
  for (const { kind, hold, calledNs } of operations) {
    if (kind === "expire") expiresNs.set(hold, Math.min(calledNs, expiresNs.get(hold) ?? calledNs));
    else if (kind !== "acquire") heardOf.add(hold);
  }
  const expiryOf = ({ hold }: ModelOperation) => expiresNs.get(hold) ?? Number.POSITIVE_INFINITY;
  let latestNs = Number.NEGATIVE_INFINITY;
  return operations
    .map((operation, position) => ({ operation, position }))
    .filter(({ operation: { kind, optional, hold } }) => kind === "acquire" && optional && !heardOf.has(hold))
    .sort((a, b) => a.operation.calledNs - b.operation.calledNs || expiryOf(a.operation) - expiryOf(b.operation))
    .filter(({ operation }) => {
      if (expiryOf(operation) < latestNs) return false;
      latestNs = expiryOf(operation);
      return true;
    })
    .map(({ position }) => position);
}

interface Moment {
  atNs: number;
  position: number;
  returns: boolean;
}

/** Calls come before returns of the same moment: touching operations may be put in either order. */
function momentsOf(operations: readonly ModelOperation[]): Moment[] {
  const moments: Moment[] = [];
  operations.forEach(({ calledNs, returnedNs, optional }, position) => {
    moments.push({ atNs: calledNs, position, returns: false });
    if (!optional && returnedNs < Number.POSITIVE_INFINITY) moments.push({ atNs: returnedNs, position, returns: true });
  });
  return moments.sort((a, b) => a.atNs - b.atNs || Number(a.returns) - Number(b.returns));
}

class Search {
  readonly #operations: readonly ModelOperation[];
  /** Positions of the interchangeable acquires, by call. */
  readonly #interchangeable: readonly number[];
  /** How many of them have been called. */
  #called = 0;
  /** Called and not returned, the interchangeable acquires left out. */
  #open: number[] = [];
  /** Holds whose acquire took effect in every way. */
  readonly #past = new Set<number>();
  /** How many of the interchangeable acquires are among them. */
  #used = 0;
  #configurations: Configuration[] = [{ state: FREE, done: [], taken: 0 }];

  constructor(operations: readonly ModelOperation[], interchangeableAcquires: readonly number[]) {
    this.#operations = operations;
    this.#interchangeable = interchangeableAcquires;
  }

  states(): number[] {
    return [...new Set(this.#configurations.map(({ state }) => state))];
  }

  call(position: number): void {
    const operation = this.#operations[position]!;
    if (this.#interchangeable[this.#called] === position) {
      this.#called += 1;
      return;
    }
    this.#open.push(position);
    if (!onlyReads(operation)) return;
    this.#configurations = this.#configurations.map((configuration) =>
      apply(configuration.state, operation) === undefined ? configuration : withDone(configuration, position),
    );
  }

  /** The operation returns: every way must have done it by now. Ways that cannot are dropped. */
  require(position: number): "possible" | "impossible" | "too many" {
    const outcome = this.#reach(position);
    if (outcome !== "possible") return outcome;
    const { kind, hold } = this.#operations[position]!;
    if (kind === "acquire") this.#past.add(hold);
    const taken = Math.min(...this.#configurations.map((configuration) => configuration.taken));
    for (; this.#used < taken; this.#used += 1)
      this.#past.add(this.#operations[this.#interchangeable[this.#used]!]!.hold);
    this.#open = this.#open.filter((open) => open !== position && !this.#isOver(open));
    return outcome;
  }

  #reach(position: number): "possible" | "impossible" | "too many" {
    const reached = new Map<string, Configuration>();
    const seen = new Set<string>();
    const left = [...this.#configurations];
    for (let next = left.pop(); next; next = left.pop()) {
      const name = nameOf(next);
      if (seen.has(name)) continue;
      seen.add(name);
      if (seen.size > MOST_CONFIGURATIONS) return "too many";
      if (next.done.includes(position)) reached.set(name, next);
      else left.push(...this.#steps(next));
    }
    this.#configurations = bestOf([...reached.values()].map((each) => withoutDone(each, position)));
    return this.#configurations.length > 0 ? "possible" : "impossible";
  }

  /** What would take away a hold that no way has any more, and that cannot come again. */
  #isOver(position: number): boolean {
    const { hold, optional } = this.#operations[position]!;
    return optional === true && this.#past.has(hold) && !this.#configurations.some(({ state }) => state === hold);
  }

  /** Every open operation that could come next and changes the state. */
  #steps(configuration: Configuration): Configuration[] {
    const { state, done, taken } = configuration;
    const steps: Configuration[] = [];
    for (const position of this.#open) {
      const operation = this.#operations[position]!;
      if (onlyReads(operation) || done.includes(position)) continue;
      const after = apply(state, operation);
      if (after === undefined) continue;
      const isLeftOut = operation.optional && operation.kind !== "acquire";
      const next = isLeftOut ? configuration : withDone(configuration, position);
      steps.push(this.#read({ ...next, state: after }));
    }
    if (state === FREE && taken < this.#called) {
      const { hold } = this.#operations[this.#interchangeable[taken]!]!;
      steps.push(this.#read({ ...configuration, state: hold, taken: taken + 1 }));
    }
    return steps;
  }

  /** Puts every open read that is legal now. */
  #read(configuration: Configuration): Configuration {
    return this.#open.reduce((reading, position) => {
      const operation = this.#operations[position]!;
      if (!onlyReads(operation) || reading.done.includes(position)) return reading;
      return apply(reading.state, operation) === undefined ? reading : withDone(reading, position);
    }, configuration);
  }
}

function withDone(configuration: Configuration, position: number): Configuration {
  return { ...configuration, done: [...configuration.done, position].sort((a, b) => a - b) };
}

function withoutDone(configuration: Configuration, position: number): Configuration {
  return { ...configuration, done: configuration.done.filter((done) => done !== position) };
}

/** Of ways that differ only in how many interchangeable acquires they used up, those with the fewest. */
function bestOf(configurations: readonly Configuration[]): Configuration[] {
  const best = new Map<string, Configuration>();
  for (const configuration of configurations) {
    const name = `${configuration.state}|${configuration.done.join()}`;
    const other = best.get(name);
    if (!other || configuration.taken < other.taken) best.set(name, configuration);
  }
  return [...best.values()];
}

function nameOf({ state, done, taken }: Configuration): string {
  return `${state}|${taken}|${done.join()}`;
}
