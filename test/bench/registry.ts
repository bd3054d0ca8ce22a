import { checks } from "./checks.ts";
import type { Benchmark } from "./figure.ts";
import { lateness, observerEffect, saturation } from "./lock.ts";
import { startup } from "./startup.ts";

/** Every benchmark, in the order of the table. */
export const benchmarks: readonly Benchmark[] = [startup, observerEffect, saturation, lateness, checks];
