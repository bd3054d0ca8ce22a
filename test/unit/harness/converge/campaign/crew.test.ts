import { describe, expect, test } from "vitest";
import { Crew, DismissedCrew } from "../../../../../harness/converge/campaign/crew.ts";
import { BrokenHand, type Hand } from "../../../../../harness/converge/campaign/hand.ts";

/** A hand whose orders end only with itself, as those of a thread do. */
class FakeHand implements Hand {
  stops = 0;
  isClosed = false;
  private readonly pending: ((error: Error) => void)[] = [];

  ask(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.isClosed) reject(new BrokenHand("ended its thread", { index: 0, event: 0, schedule: [] }));
      else this.pending.push(reject);
    });
  }
  stop(): void {
    this.stops++;
  }
  async close(): Promise<void> {
    this.isClosed = true;
    for (const reject of this.pending.splice(0))
      reject(new BrokenHand("ended its thread", { index: 0, event: 0, schedule: [] }));
  }
}

function crewOf({
  signal,
  prepare = async () => {},
}: {
  signal?: AbortSignal;
  prepare?: (hand: Hand) => Promise<void>;
} = {}) {
  const hands: FakeHand[] = [];
  const start = async () => {
    hands.push(new FakeHand());
    return hands.at(-1)!;
  };
  return { crew: new Crew(start, prepare, signal), hands };
}

const open = { ref: { name: "x", path: "x" }, plan: { seed: 1, regions: 2, minEvents: 1, maxEvents: 1, all: false } };

describe("a dismissed crew", () => {
  test("starts nobody in the place of those whose orders it ended", async () => {
    const { crew, hands } = crewOf();
    await crew.hire(3);
    const asked = crew.members().map((member) => member.ask("open", open));
    const ends = Promise.allSettled(asked);
    await crew.dismiss();
    for (const end of await ends) expect(end).toMatchObject({ reason: expect.any(DismissedCrew) });
    await expect(crew.members()[0]!.ask("open", open)).rejects.toBeInstanceOf(DismissedCrew);
    expect(hands).toHaveLength(3);
    expect(hands.every(({ isClosed }) => isClosed)).toBe(true);
  });

  test("ends a replacement that was just starting", async () => {
    let prepared = 0;
    let goOn = () => {};
    const { crew, hands } = crewOf({
      prepare: async () => {
        if (++prepared > 1) await new Promise<void>((resolve) => (goOn = resolve));
      },
    });
    await crew.hire(1);
    const [member] = crew.members();
    const broken = member!.ask("open", open);
    await hands[0]!.close();
    await expect(broken).rejects.toBeInstanceOf(BrokenHand);
    const next = member!.ask("open", open);
    next.catch(() => {});
    await Promise.resolve();
    const dismissed = crew.dismiss();
    goOn();
    await dismissed;
    await expect(next).rejects.toBeInstanceOf(DismissedCrew);
    expect(hands).toHaveLength(2);
    expect(hands.every(({ isClosed }) => isClosed)).toBe(true);
  });
});

describe("a crew whose signal comes", () => {
  test("while it is being hired: everybody is ended, and the reason of the signal is thrown", async () => {
    const controller = new AbortController();
    const reason = new Error("interrupted");
    const { crew, hands } = crewOf({
      signal: controller.signal,
      prepare: (hand) => hand.ask("open", open).then(() => {}),
    });
    const hired = crew.hire(2);
    hired.catch(() => {});
    await Promise.resolve();
    controller.abort(reason);
    await expect(hired).rejects.toBe(reason);
    expect(hands.every(({ isClosed }) => isClosed)).toBe(true);
  });

  test("while it works: what runs is to stop, and nobody is ended", async () => {
    const controller = new AbortController();
    const { crew, hands } = crewOf({ signal: controller.signal });
    await crew.hire(2);
    controller.abort();
    expect(hands.map(({ stops, isClosed }) => [stops, isClosed])).toEqual([
      [1, false],
      [1, false],
    ]);
    await crew.dismiss();
  });
});
