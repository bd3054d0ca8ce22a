import { DEFAULT_MAX_DRIFT_MS, driftMs, initialHlc, joinHlc, tickHlc } from "../types/hlc.ts";
import { deleteRegister, mergeRegisters, type Register, writeRegister } from "../types/lww-register.ts";
import type { Timestamp } from "../types/timestamp.ts";
import { type PureType, pureAdapter } from "./pure-adapter.ts";

export interface ClockedRegister {
  readonly register: Register | undefined;
  /** The state of the hybrid logical clock. */
  readonly clock: Timestamp;
}

export const lwwRegisterType: PureType<ClockedRegister> = {
  name: "lww-register",
  summary: "one value that the last writer wins, by hybrid logical clock",
  fields: [{ name: "value", type: "register", conflict: "lww" }],
  hlc: { maxDriftMs: DEFAULT_MAX_DRIFT_MS, messageStamp: ({ clock }) => clock },
  initial: ({ id }) => ({ register: undefined, clock: initialHlc(id) }),
  apply({ clock: last }, { kind, value }, context) {
    const clock = tickHlc(last, context.clock.now());
    return { register: kind === "delete" ? deleteRegister(clock) : writeRegister(value, clock), clock };
  },
  message: (state) => state,
  receive({ register, clock }, theirs, context) {
    const wallMs = context.clock.now();
    if (driftMs(theirs.clock, wallMs) > DEFAULT_MAX_DRIFT_MS) return "CLOCK_DRIFT";
    return { register: mergeRegisters(register, theirs.register), clock: joinHlc(clock, theirs.clock, wallMs) };
  },
  show: ({ register }) => (register === undefined || register.deleted ? {} : { value: register.value }),
  essence: ({ register }) => register,
  stamp: ({ clock }) => clock,
};

export const createAdapter = () => pureAdapter(lwwRegisterType);
