import { z } from "zod";
import type { FaultDescription, FaultParameters } from "../../contracts/fault.ts";
import { messageOf } from "../../errors.ts";
import { readParameter } from "../plan-language/parameter.ts";
import { networkFaults } from "../proxy/network/registry.ts";
import { badRequest } from "./api-error.ts";

export type Stream = "upstream" | "downstream";

/** A toxic's attributes, as they are kept and shown; all given. */
export type Attributes = Readonly<Record<string, number | string>>;

export interface ToxicType {
  /** Completes and checks the attributes; `before` are those of a toxic that is changed. Throws `ApiError` 400. */
  read(given: unknown, before?: Attributes): Attributes;
  /** What the fault proxy is to do. */
  fault(attributes: Attributes, stream: Stream, toxicity: number): { name: string; parameters: FaultParameters };
}

/** Toxiproxy's own types; every network fault of the proxy is a type too, with its parameters as attributes. */
export function toxicTypeNamed(name: string): ToxicType | undefined {
  const own = toxiproxyTypes[name];
  if (own) return own;
  const fault = networkFaults.find((each) => each.name === name.replaceAll("_", "-"));
  return fault && faultType(fault);
}

const directionOf = (stream: Stream) => (stream === "upstream" ? "requests" : "replies");

/** Toxiproxy 2.9, toxics/*.go: whole numbers, 0 where not given. */
const toxiproxyTypes: Readonly<Record<string, ToxicType>> = {
  latency: numeric(["latency", "jitter"], ({ latency, jitter }) => ({
    name: "latency",
    parameters: { base: latency, jitter },
  })),
  bandwidth: numeric(["rate"], ({ rate }) =>
    // At 0 Toxiproxy keeps bytes back until the toxic is gone.
    rate <= 0 ? { name: "partition", parameters: {} } : { name: "bandwidth", parameters: { rate: rate * 1000 } },
  ),
  slow_close: numeric(["delay"], ({ delay }) => ({ name: "slow-close", parameters: { delay } })),
  timeout: numeric(["timeout"], ({ timeout }) => ({ name: "timeout", parameters: { after: timeout } })),
  reset_peer: numeric(["timeout"], ({ timeout }) => ({ name: "reset", parameters: { after: timeout } })),
  slicer: numeric(["average_size", "size_variation", "delay"], ({ average_size, size_variation, delay }) => ({
    name: "slicer",
    parameters: { size: Math.max(1, average_size), variation: size_variation, delay: delay / 1000 },
  })),
  limit_data: numeric(["bytes"], ({ bytes }) => ({ name: "limit-data", parameters: { bytes } })),
};

function numeric<Name extends string>(
  names: readonly Name[],
  fault: (attributes: Record<Name, number>) => { name: string; parameters: FaultParameters },
): ToxicType {
  const schema = z.object(Object.fromEntries(names.map((name) => [name, z.number().int().min(0).optional()])));
  return {
    read(given, before = {}) {
      const read = schema.safeParse(given ?? {});
      if (!read.success) throw badRequest(z.prettifyError(read.error));
      return Object.fromEntries(names.map((name) => [name, read.data[name] ?? before[name] ?? 0]));
    },
    fault(attributes, stream, toxicity) {
      const { name, parameters } = fault(attributes as Record<Name, number>);
      return { name, parameters: { ...parameters, direction: directionOf(stream), toxicity } };
    },
  };
}

const valuesSchema = z.record(z.string(), z.union([z.number(), z.string()]));

/** Attributes as in the plan language (`"5ms"`), or as numbers in ms, bytes, and bytes per second. */
function faultType({ name: fault, parameters: known }: FaultDescription): ToxicType {
  return {
    read(given, before = {}) {
      const read = valuesSchema.safeParse(given ?? {});
      if (!read.success) throw badRequest(z.prettifyError(read.error));
      const attributes = Object.entries(read.data).map(([name, value]) => {
        const parameter = known[name];
        if (!parameter) throw badRequest(`${fault} has no attribute ${name}; it has ${Object.keys(known).join(", ")}`);
        try {
          return [name, typeof value === "string" ? readParameter(parameter, value) : value] as const;
        } catch (error) {
          throw badRequest(`${name}: ${messageOf(error)}`);
        }
      });
      const complete = { ...before, ...Object.fromEntries(attributes) };
      for (const [name, { required }] of Object.entries(known)) {
        if (required && complete[name] === undefined) throw badRequest(`${fault} needs the attribute ${name}`);
      }
      return complete;
    },
    fault: (attributes, stream, toxicity) => ({
      name: fault,
      parameters: {
        ...(known.direction ? { direction: directionOf(stream) } : {}),
        ...(known.toxicity ? { toxicity } : known.probability ? { probability: toxicity } : {}),
        ...attributes,
      },
    }),
  };
}
