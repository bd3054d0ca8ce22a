import type { Stamp } from "../../contracts/crdt-adapter.ts";

/** Negative, 0 or positive, as the first stamp is less than, equal to or greater than the second; nodes aside. */
export const compareStamps = (a: Stamp, b: Stamp): number => (a.l === b.l ? a.c - b.c : a.l - b.l);

export const showStamp = ({ l, c }: Stamp): string => `(${l}, ${c})`;
