import type { FaultParameter } from "../../../contracts/fault.ts";

/** Parameters that several network faults have in common. */
export const direction = (fallback: "requests" | "replies" | "both"): FaultParameter => ({
  type: "enum",
  summary: "Which bytes: those to the node, those from it, or both",
  values: ["requests", "replies", "both"],
  default: fallback,
});

export const toxicity: FaultParameter = {
  type: "probability",
  summary: "Share of the connections that it happens to",
  default: "1",
};

export const commandParameters = {
  command: {
    type: "string",
    summary:
      "Name of the command, with words that must be among its arguments: SET, 'SET NX'; several: 'SET NX|EVAL'. EVAL takes in EVALSHA. Default: any command",
  },
  key: { type: "string", summary: "Pattern of its keys, as of KEYS: lock:*. One that matches is enough" },
  script: {
    type: "string",
    summary:
      "A text that the Lua script contains, in any case: pexpire. For EVAL, and for EVALSHA of a script seen before",
  },
  probability: { type: "probability", summary: "Share of the matching commands", default: "1" },
  nth: {
    type: "integer",
    summary: "Only the nth matching command, counted over all targets; 0: each",
    default: "0",
    min: 0,
  },
} as const satisfies Record<string, FaultParameter>;

/** The random part of a delay, beside its `base`; what `delays` reads. */
export const spreadParameters = {
  jitter: { type: "duration", summary: "Spread around the base: half-width, or standard deviation", min: 0 },
  p99: {
    type: "duration",
    summary: "99 % of the delays are at most this",
    min: 0,
    excludes: "jitter",
    atLeast: "base",
  },
} as const satisfies Record<string, FaultParameter>;
