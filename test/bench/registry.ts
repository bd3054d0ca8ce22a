import { checks } from "./checks.ts";
import {
  convergeExhaustive,
  convergeMemory,
  convergeShrink,
  convergeThreads,
  convergeZoo,
} from "./converge/campaigns.ts";
import { convergeLibraries, convergeRunner } from "./converge/runner.ts";
import type { Benchmark } from "./figure.ts";
import { lateness, observerEffect, saturation } from "./lock.ts";
import { proxyAccuracy } from "./proxy-accuracy.ts";
import { proxyOverhead } from "./proxy-overhead.ts";
import { startup } from "./startup.ts";

/** Every benchmark, in the order of the table. */
export const benchmarks: readonly Benchmark[] = [
  startup,
  observerEffect,
  saturation,
  lateness,
  proxyOverhead,
  proxyAccuracy,
  checks,
  convergeRunner,
  convergeLibraries,
  convergeThreads,
  convergeShrink,
  convergeZoo,
  convergeExhaustive,
  convergeMemory,
];
