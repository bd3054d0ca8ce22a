import type { Check, CheckedRun } from "../contracts/check.ts";
import type { HistoryEvent, TraceDetail } from "../contracts/history.ts";
import { groupBy, lockRounds } from "./arms.ts";
import { type Belief, beliefsOf } from "./beliefs.ts";
import { effectOf } from "./redis-commands.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import { carriedOutNs, isTimeKnown } from "./trace-times.ts";
import { commandsByToken, type TracedCommand } from "./traced-commands.ts";
import { count, duration, excerpt, worker } from "./words.ts";

/** A lock leaves its process and its servers as it found them. */
export const hygiene: Check = {
  name: "hygiene",
  summary: "No unhandled rejections, unplanned exits, leftovers, renewals after release, floods of commands or leaks",
  classes: {
    "unhandled error": "A rejection or exception that nobody handled",
    "unplanned exit": "A worker process ended that nobody had ended",
    leftovers: "Timers or connections were still open after the lock had been closed",
    "renewal after release": "A server got commands with the token of a hold after its release had returned",
    "too many commands": "More Redis commands for one hold and node than 10 + 10 x their time / TTL",
    "growth of memory": "The used heap grew all through the round",
  },
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => {
      const index = indexRound(armRound);
      return [...processCases(index), ...memoryGrowth(index), ...traceCases(index, run)];
    });
    return findingsOf(hygiene.name, cases);
  },
};

function processCases(index: RoundIndex): Case[] {
  const cases: Case[] = [];
  const add = (kind: string, event: HistoryEvent, message: string, note: string) =>
    cases.push({ index, class: kind, weight: 0, message, evidence: () => excerpt([event, note]) });
  for (const event of index.samples) {
    const { unhandled, leftOpen, closingForMs, closeError } = event.detail ?? {};
    if (typeof closeError === "string") {
      add("unhandled error", event, `close() of the lock of ${worker(event)} threw: ${closeError}.`, "it throws");
    }
    if (typeof closingForMs === "number") {
      const waited = duration(closingForMs * 1e6);
      add("leftovers", event, `close() of the lock of ${worker(event)} had not come back after ${waited}.`, "it waits");
    }
    if (typeof unhandled === "string") {
      add("unhandled error", event, `${worker(event)} had an error that nobody handled: ${unhandled}.`, "unhandled");
    }
    if (Array.isArray(leftOpen) && leftOpen.length > 0) {
      const kinds = [...new Set(leftOpen.map(String))].join(", ");
      add("leftovers", event, `After the lock of ${worker(event)} was closed, ${kinds} stayed open.`, "still open");
    }
  }
  for (const { ended } of index.incarnations.values()) {
    if (ended?.outcome !== "crashed") continue;
    const { code, signal, stderr } = ended.detail ?? {};
    const how = signal ? `by ${String(signal)}` : `with code ${String(code)}`;
    const words = typeof stderr === "string" && stderr !== "" ? `: ${stderr.trim().split("\n").at(-1)}` : "";
    add("unplanned exit", ended, `${worker(ended)} ended ${how}, unplanned${words}.`, "its process is gone");
  }
  return cases;
}

/** Samples that it takes to speak of growth, one a second. */
const ENOUGH_SAMPLES = 30;
const GROWTH_BYTES = 50 * 2 ** 20;

/** Garbage collection makes the heap a saw: it grew if its lowest late points lie above its highest early ones. */
function memoryGrowth(index: RoundIndex): Case[] {
  const heapOf = ({ detail }: HistoryEvent) => (typeof detail?.heapUsedBytes === "number" ? detail.heapUsedBytes : 0);
  const samples = index.samples.filter((sample) => heapOf(sample) > 0);
  return [...groupBy(samples, ({ worker: number, incarnation }) => `${number}.${incarnation}`).values()].flatMap(
    (own): Case[] => {
      if (own.length < ENOUGH_SAMPLES) return [];
      const third = Math.floor(own.length / 3);
      const early = own.slice(0, third).reduce((a, b) => (heapOf(b) > heapOf(a) ? b : a));
      const late = own.slice(-third).reduce((a, b) => (heapOf(b) < heapOf(a) ? b : a));
      const grownBytes = heapOf(late) - heapOf(early);
      if (grownBytes < GROWTH_BYTES) return [];
      return [
        {
          index,
          class: "growth of memory",
          weight: grownBytes,
          message: `The heap of ${worker(late)} grew by ${Math.round(grownBytes / 2 ** 20)} MB or more in ${duration(late.atNs - early.atNs)}.`,
          evidence: () => excerpt([early, "the most in the first third"], [late, "the least in the last third"]),
        },
      ];
    },
  );
}

function traceCases(index: RoundIndex, { plan }: CheckedRun): Case[] {
  if (index.trace.length === 0) return [];
  const commands = commandsByToken(index);
  const stray = strayRenewals(index);
  return beliefsOf(index).flatMap((belief): Case[] => {
    const token = belief.acquire.end.token ?? "";
    const own = commands.get(token) ?? [];
    const late = renewedAfterRelease(index, belief, own);
    return [...(late.length > 0 ? late : stray(belief)), ...flooded(index, belief, own, plan.ttlMs)];
  });
}

/**
 * Renewals that carry no token, of a key that its last holder has released and that nobody has asked for since: they can
 * only be that holder's.
 */
function strayRenewals(index: RoundIndex): (belief: Belief) => Case[] {
  const renewals = groupBy(
    index.trace.filter(({ detail }) => isRenewalByClient(detail as TraceDetail | undefined)),
    ({ key }) => key ?? "",
  );
  if (renewals.size === 0) return () => [];
  const asked = groupBy(
    [...index.executions.values()].flatMap(({ key, acquires }) =>
      acquires.flatMap(({ invoke }) =>
        invoke && renewals.has(key ?? "") ? [{ key: key ?? "", atNs: invoke.atNs }] : [],
      ),
    ),
    ({ key }) => key,
  );
  const atNs = carriedOutNs(index);
  return (belief) => {
    const returned = releaseOf(belief)?.end;
    const own = renewals.get(belief.key);
    if (!returned || !own) return [];
    const after = (asked.get(belief.key) ?? []).map((each) => each.atNs).filter((askedNs) => askedNs > belief.startNs);
    const untilNs = after.reduce((least, askedNs) => Math.min(least, askedNs), Number.POSITIVE_INFINITY);
    const late = own.find(
      (event) => isTimeKnown(index)(event) && atNs(event) > returned.atNs + CLOSE_NS && atNs(event) < untilNs,
    );
    if (!late) return [];
    return [
      renewalAfterRelease(index, belief, {
        returned,
        late,
        node: Number(late.detail?.node),
        what: "was asked to renew its key",
      }),
    ];
  };
}

function isRenewalByClient(detail: TraceDetail | undefined): boolean {
  if (detail?.kind !== "command" || detail.client === "lua" || detail.client === "fault") return false;
  return effectOf(detail.command, detail.args, detail.serverMs)?.kind === "expire";
}

function releaseOf({ execution, startNs }: Belief) {
  return execution.releases.find(({ end }) => end?.phase === "ok" && end.atNs >= startNs);
}

/** Received after the release had returned, and not the release itself once more: something goes on renewing. */
function renewedAfterRelease(index: RoundIndex, belief: Belief, commands: readonly TracedCommand[]): Case[] {
  const { invoke: called, end: returned } = releaseOf(belief) ?? {};
  if (!called || !returned) return [];
  const atNs = carriedOutNs(index);
  const over = returned.atNs + CLOSE_NS;
  const ofRelease = new Set(
    commands.filter(({ event }) => atNs(event) >= called.atNs && atNs(event) <= over).map(signatureOf),
  );
  // One that the release overtook on another node's connection is followed there by the release itself.
  const isOvertaken = (position: number) =>
    commands
      .slice(position + 1)
      .some((next) => next.node === commands[position]!.node && ofRelease.has(signatureOf(next)));
  const late = commands.find(
    (command, position) =>
      isTimeKnown(index)(command.event) &&
      atNs(command.event) > over &&
      !ofRelease.has(signatureOf(command)) &&
      !isOvertaken(position),
  );
  if (!late || !isTimed(index, belief.key, called.atNs, over)) return [];
  const { event, node } = late;
  return [renewalAfterRelease(index, belief, { returned, late: event, node, what: "got a command with its token" })];
}

/** A release that took effect was carried out while it was called: where the trace shows none then, its times are off. */
function isTimed(index: RoundIndex, key: string, calledNs: number, overNs: number): boolean {
  const atNs = carriedOutNs(index);
  return index.trace.some(
    (event) =>
      event.key === key &&
      event.detail?.kind === "command" &&
      atNs(event) >= calledNs - CLOSE_NS &&
      atNs(event) <= overNs,
  );
}

function renewalAfterRelease(
  index: RoundIndex,
  belief: Belief,
  { returned, late, node, what }: { returned: HistoryEvent; late: HistoryEvent; node: number; what: string },
): Case {
  const laterNs = carriedOutNs(index)(late) - returned.atNs;
  return {
    index,
    class: "renewal after release",
    weight: laterNs,
    message: `${worker(belief.execution)} went on renewing ${belief.key}: node ${node} ${what} ${duration(laterNs)} after its release had returned.`,
    evidence: () =>
      excerpt(
        [belief.acquire.end, `${worker(belief.execution)} is granted ${belief.key}`],
        [returned, "its release has returned"],
        [late, "the server is asked to keep its key all the same"],
      ),
  };
}

/** How exactly the time of a command at a server is known, ns. */
const CLOSE_NS = 50e6;

/** Command and script: what tells a renewal from a release. */
function signatureOf({ event }: TracedCommand): string {
  const { command, args } = event.detail as Extract<TraceDetail, { kind: "command" }>;
  return command.startsWith("EVAL") ? `${command} ${args[0]}` : command;
}

function flooded(index: RoundIndex, belief: Belief, commands: readonly TracedCommand[], ttlMs: number): Case[] {
  const held = belief.endNs - belief.startNs;
  return [...groupBy(commands, ({ node }) => String(node)).values()]
    .map((own) => {
      // A release that is tried again every now and then takes longer than its hold: that is no flood.
      const [first, last] = [own[0]!.event, own.at(-1)!.event];
      const atNs = carriedOutNs(index);
      const lengthNs = Math.max(held, last.atNs - first.atNs, atNs(last) - atNs(first));
      return { own, lengthNs, allowed: 10 + (10 * lengthNs) / (ttlMs * 1e6) };
    })
    .filter(({ own, allowed }) => own.length > allowed)
    .map(({ own, lengthNs, allowed }) => ({
      index,
      class: "too many commands",
      weight: own.length / allowed,
      message: `One hold of ${belief.key} took ${count(own.length, "command")} on node ${own[0]!.node} in ${duration(lengthNs)} under a TTL of ${duration(ttlMs * 1e6)}: more than ${Math.floor(allowed)}.`,
      evidence: () =>
        excerpt(
          [belief.acquire.end, `${worker(belief.execution)} is granted ${belief.key}`],
          [own[0]!.event, "the first command that carries its token"],
          [own.at(-1)!.event, `the last of ${own.length}`],
          [belief.endEvent, "the hold ends"],
        ),
    }));
}
