import { randomBytes } from "node:crypto";

/** A token that no other hold has: 128 random bits. */
export const newToken = (): string => randomBytes(16).toString("hex");
