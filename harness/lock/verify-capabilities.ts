/** What each member of LockCapabilities may be; one that is absent says nothing. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  renewal: ["auto", "manual", "none"],
  lease: ["ttl", "connection", "never"],
  fencing: ["atomic", "non-atomic", "none"],
  commandTimeout: ["full", "unsent", "none"],
};
const FLAGS = ["decides", "usesRedis", "oncePerKey", "sentinel"];

/** What is wrong with capabilities, such as `renewal: "sometimes", and it has to be ...`; undefined where nothing is. */
export function flawOfCapabilities(capabilities: object): string | undefined {
  const said = capabilities as Readonly<Record<string, unknown>>;
  const given = Object.keys(said).filter((name) => said[name] !== undefined);
  for (const name of given) {
    const wanted = wantedOf(name, said[name]);
    if (wanted !== undefined) return `${name}: ${shown(said[name])}, and it has to be ${wanted}`;
  }
  return undefined;
}

function wantedOf(name: string, value: unknown): string | undefined {
  const choices = CHOICES[name];
  if (choices) {
    return choices.includes(value as string) ? undefined : choices.map((choice) => `"${choice}"`).join(" or ");
  }
  if (FLAGS.includes(name)) return typeof value === "boolean" ? undefined : "true or false";
  if (name === "nodes") return Number.isInteger(value) && (value as number) > 0 ? undefined : "a number from 1";
  if (name === "budgetMs") return typeof value === "number" && value > 0 ? undefined : "a number of ms above 0";
  if (name === "client") return typeof value === "string" ? undefined : 'a text such as "ioredis 6"';
  return undefined;
}

function shown(value: unknown): string {
  return typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
}
