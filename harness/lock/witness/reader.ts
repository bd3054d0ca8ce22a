import { Redis } from "ioredis";
import { witnessKeys } from "./keys.ts";

/** An entry of the witness's log: one effect that happened. */
export interface WitnessEntry {
  execution: string;
  effect: string;
  job: string;
  key: string;
  fencingToken?: number;
  outcome: "accepted" | "fenced" | "would-refuse";
  /** For a write to a shared document. */
  document?: string;
  value?: number;
  /** Writes of the document so far, this one included. Absent: it was refused. */
  version?: number;
  /** The version that the execution last read before. */
  readVersion?: number;
}

/** The orchestrator's view of the witness. */
export interface WitnessReader {
  /** Forgets everything: before each round. */
  empty(): Promise<void>;
  /** The whole log, in its order. */
  entries(): Promise<WitnessEntry[]>;
  /** Effects beyond the first one of each job, so far. */
  surplus(): Promise<number>;
  close(): void;
}

/** How many entries one read asks for. */
const PAGE = 5_000;

export function readWitness({ host, port }: { host: string; port: number }): WitnessReader {
  const client = new Redis({ host, port, maxRetriesPerRequest: null });
  client.on("error", () => {});
  return {
    async empty() {
      await client.flushall();
    },
    async entries() {
      const entries: WitnessEntry[] = [];
      for (let after = "-"; ; ) {
        const page = await client.xrange(witnessKeys.log, after, "+", "COUNT", PAGE);
        for (const [, fields] of page) entries.push(parseEntry(fields));
        if (page.length < PAGE) return entries;
        after = `(${page.at(-1)?.[0]}`;
      }
    },
    async surplus() {
      const [effects, jobs] = await Promise.all([client.xlen(witnessKeys.log), client.scard(witnessKeys.jobs)]);
      // Counted one after the other, while effects come in.
      return Math.max(0, effects - jobs);
    },
    close() {
      client.disconnect();
    },
  };
}

function parseEntry(fields: readonly string[]): WitnessEntry {
  const values: Record<string, string> = {};
  for (let index = 0; index + 1 < fields.length; index += 2) values[fields[index]!] = fields[index + 1]!;
  const { execution = "", effect = "", job = "", key = "", document = "", outcome } = values;
  const number = <Name extends string>(name: Name) =>
    (values[name] ? { [name]: Number(values[name]) } : {}) as { [Key in Name]?: number };
  return {
    ...{ execution, effect, job, key },
    ...number("fencingToken"),
    outcome: outcome as WitnessEntry["outcome"],
    ...(document === "" ? {} : { document, ...number("value"), ...number("version"), ...number("readVersion") }),
  };
}
