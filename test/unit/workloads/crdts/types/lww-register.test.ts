import { describe, expect, it } from "vitest";
import { deleteRegister, mergeRegisters, writeRegister } from "../../../../../workloads/crdts/types/lww-register.ts";

const at = (l: number, c = 0, node = "fra") => ({ l, c, node });

describe("the last-writer-wins register", () => {
  it("keeps the greater timestamp, on either side", () => {
    const older = writeRegister("old", at(9));
    const newer = writeRegister("new", at(10));
    expect(mergeRegisters(older, newer)).toBe(newer);
    expect(mergeRegisters(newer, older)).toBe(newer);
  });

  it("decides a tie of the clocks by the region", () => {
    const ours = writeRegister("cairo", at(10, 0, "cai"));
    const theirs = writeRegister("frankfurt", at(10, 0, "fra"));
    expect(mergeRegisters(ours, theirs)).toBe(theirs);
    expect(mergeRegisters(theirs, ours)).toBe(theirs);
  });

  it("takes the side that exists", () => {
    const register = writeRegister(1, at(1));
    expect(mergeRegisters(undefined, register)).toBe(register);
    expect(mergeRegisters(register, undefined)).toBe(register);
    expect(mergeRegisters(undefined, undefined)).toBeUndefined();
  });

  it("lets a deletion win over an older write that arrives later", () => {
    const deletion = deleteRegister<number>(at(11));
    expect(mergeRegisters(deletion, writeRegister(1, at(10)))).toBe(deletion);
    expect(deletion).toEqual({ value: undefined, deleted: true, timestamp: at(11) });
  });
});
