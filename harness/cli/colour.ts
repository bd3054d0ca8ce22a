export interface ColourFacts {
  environment: Readonly<Record<string, string | undefined>>;
  isTty: boolean;
  /** False: `--no-color`. */
  wanted: boolean;
}

/** Does this stream get colours? `--no-color` goes before NO_COLOR, and that before FORCE_COLOR and the terminal. */
export function usesColour({ environment, isTty, wanted }: ColourFacts): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (!wanted || (NO_COLOR !== undefined && NO_COLOR !== "")) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTty && TERM !== "dumb";
}

/** May a line be drawn over again? Not in a log, on a dumb terminal or in CI. */
export function drawsInPlace({ environment, isTty }: Omit<ColourFacts, "wanted">): boolean {
  return isTty && environment.TERM !== "dumb" && !isSet(environment.CI);
}

const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "false" && value !== "0";
