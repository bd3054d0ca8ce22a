import type { CrdtRef } from "../adapter/crdt-ref.ts";
import { Coverage } from "../run/coverage.ts";
import type { AdapterFacts } from "../thread/messages.ts";
import { absoluteNowMs } from "./absolute-now.ts";
import { type BrokenSchedule, MAX_BROKEN } from "./broken-schedule.ts";
import { Crew, type Member } from "./crew.ts";
import type { Chunk, ChunkReport } from "./executor.ts";
import { Found } from "./found.ts";
import { BrokenHand, type Hand, type StartHand } from "./hand.ts";
import type { CampaignPlan } from "./plan.ts";
import { shrinkTimeMs } from "./shrink-time.ts";
import { type ToldFailure, tellFailures } from "./tell-failures.ts";

export interface CampaignLimits {
  /** Schedules of this shard in all. */
  schedules?: number;
  timeMs?: number;
}

export interface CampaignOptions extends CampaignLimits {
  plan: CampaignPlan;
  threads: number;
  startHand: StartHand;
  /** This machine's part of the schedules: those whose index is `index` modulo `count`. */
  shard?: { index: number; count: number };
  journal?: string;
  signal?: AbortSignal;
  /** Stop at the first failure by one of these oracles. */
  stopAt?: readonly string[];
  onProgress?: (progress: CampaignProgress) => void;
}

export interface CampaignProgress {
  phase: "fuzz" | "shrink";
  elapsedMs: number;
  schedules: number;
  schedulesPerSecond: number;
  /** Schedules that failed so far. */
  failed: number;
}

export interface CampaignReport {
  facts: AdapterFacts;
  coverage: Coverage;
  found: Found;
  broken: readonly BrokenSchedule[];
  elapsedMs: number;
  /** Schedules a second, by slices of a second. */
  speeds: readonly number[];
  interrupted: boolean;
  /** The failures to report, shrunk and told, in the order of their index. */
  failures: readonly ToldFailure[];
}

/** A thread that has done its chunk waits for the next, 1 to 2 ms where all cores are busy. */
const CHUNK_MS = 250;
const FIRST_CHUNK = 16;
const MAX_CHUNK = 20_000;
const SLICE_MS = 1_000;

/**
 * Spreads a campaign's schedules over hands until a limit is reached. Which hand runs which schedule changes nothing: the
 * schedules that ran decide what is found.
 * @throws HarnessError when the adapter cannot be used
 */
export class Campaign {
  private readonly options: CampaignOptions;
  private readonly ref: CrdtRef;
  private readonly coverage = new Coverage();
  private readonly found = new Found();
  private readonly brokenSchedules: BrokenSchedule[] = [];
  private readonly waiting: Chunk[] = [];
  /** How many schedules of the shard were handed out. */
  private handedOut = 0;
  private stopped = false;
  private startedMs = 0;
  private untilMs: number | undefined;
  private speed = 0;
  private readonly speeds: number[] = [];
  private slice = { schedules: 0, startedMs: 0 };
  private facts: AdapterFacts | undefined;

  constructor(ref: CrdtRef, options: CampaignOptions) {
    this.ref = ref;
    this.options = options;
  }

  async run(): Promise<CampaignReport> {
    const { threads, timeMs, signal } = this.options;
    const crew = new Crew(this.options.startHand, (hand) => this.open(hand), signal);
    try {
      await crew.hire(threads);
      this.startedMs = performance.now();
      this.slice.startedMs = this.startedMs;
      if (timeMs !== undefined) this.untilMs = performance.timeOrigin + this.startedMs + timeMs;
      await Promise.all(crew.members().map((member) => this.work(member)));
      const elapsedMs = performance.now() - this.startedMs;
      const broken = this.brokenSchedules.toSorted((a, b) => a.index - b.index);
      return {
        facts: this.facts!,
        coverage: this.coverage,
        found: this.found,
        broken,
        elapsedMs,
        speeds: this.speeds,
        interrupted: signal?.aborted ?? false,
        failures: await tellFailures(crew, this.found, broken, {
          signal,
          untilMs: this.untilMs === undefined ? undefined : this.untilMs + shrinkTimeMs(timeMs!),
          onTold: () => this.noteProgress("shrink"),
        }),
      };
    } finally {
      await crew.dismiss();
    }
  }

  private async open(hand: Hand): Promise<void> {
    const { plan, journal } = this.options;
    this.facts = await hand.ask("open", { ref: this.ref, plan, ...(journal === undefined ? {} : { journal }) });
  }

  /** One member takes chunks until there are none. */
  private async work(member: Member): Promise<void> {
    for (let chunk = this.nextChunk(); chunk !== undefined; chunk = this.nextChunk()) {
      try {
        this.take(chunk, await member.ask("chunk", chunk));
      } catch (error) {
        if (!(error instanceof BrokenHand)) throw error;
        if (!error.wasStopped) this.noteBroken(chunk, error);
      }
    }
  }

  private nextChunk(): Chunk | undefined {
    const {
      schedules = Number.POSITIVE_INFINITY,
      signal,
      stopAt,
      threads,
      shard = { index: 0, count: 1 },
    } = this.options;
    if (this.stopped || signal?.aborted || this.isTimeUp()) return undefined;
    const limits = {
      ...(this.untilMs === undefined ? {} : { untilMs: this.untilMs }),
      ...(stopAt === undefined ? {} : { stopAt }),
    };
    const waiting = this.waiting.shift();
    if (waiting !== undefined) return { ...waiting, ...limits };
    const perChunk = this.speed === 0 ? FIRST_CHUNK : Math.ceil(this.speed * CHUNK_MS);
    // Towards the end smaller ones, so that the hands finish together.
    const rest = schedules - this.handedOut;
    const count = Math.min(perChunk, MAX_CHUNK, rest, Math.max(1, Math.ceil(rest / threads / 2)));
    if (count <= 0) return undefined;
    const first = shard.index + this.handedOut * shard.count;
    this.handedOut += count;
    return { first, stride: shard.count, count, ...limits };
  }

  private isTimeUp(): boolean {
    return this.untilMs !== undefined && absoluteNowMs() >= this.untilMs;
  }

  private take(chunk: Chunk, report: ChunkReport): void {
    this.coverage.take(report.coverage);
    this.found.take(report.found);
    if (report.elapsedMs > 0) this.speed = report.ran / report.elapsedMs;
    if (this.options.stopAt !== undefined && report.ran < chunk.count) this.stopped = true;
    this.noteSpeed(report.ran);
  }

  private noteSpeed(schedules: number): void {
    const nowMs = performance.now();
    this.slice.schedules += schedules;
    if (nowMs - this.slice.startedMs >= SLICE_MS) {
      this.speeds.push(Math.round((this.slice.schedules / (nowMs - this.slice.startedMs)) * 1_000));
      this.slice = { schedules: 0, startedMs: nowMs };
    }
    this.noteProgress("fuzz");
  }

  private noteProgress(phase: CampaignProgress["phase"]): void {
    const elapsedMs = performance.now() - this.startedMs;
    this.options.onProgress?.({
      phase,
      elapsedMs,
      schedules: this.coverage.schedules,
      schedulesPerSecond: Math.round((this.coverage.schedules / elapsedMs) * 1_000),
      failed: this.found.total + this.brokenSchedules.length,
    });
  }

  /** What ran of the chunk was lost with the hand, and runs again, without the schedule that broke it. */
  private noteBroken({ first, stride, count }: Chunk, { index, event, message }: BrokenHand): void {
    this.brokenSchedules.push({ index, event, reason: message });
    if (this.brokenSchedules.length >= MAX_BROKEN) this.stopped = true;
    const ran = (index - first) / stride;
    if (!Number.isInteger(ran) || ran < 0 || ran >= count) return;
    if (ran > 0) this.waiting.push({ first, stride, count: ran });
    if (ran + 1 < count) this.waiting.push({ first: index + stride, stride, count: count - ran - 1 });
  }
}
