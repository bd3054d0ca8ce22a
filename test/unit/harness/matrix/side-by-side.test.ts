import { describe, expect, test } from "vitest";
import { createGate, runSideBySide, type Then } from "../../../../harness/matrix/side-by-side.ts";

interface Item {
  name: string;
  weight: number;
}

/** Items that end when they are told to; `running` shows which have begun. */
function workshop(
  items: readonly Item[],
  capacity: number,
  signal = new AbortController().signal,
  holdOff?: () => Promise<void> | undefined,
) {
  const running = new Map<string, { resolve(then?: Then): void; reject(error: Error): void }>();
  const all = runSideBySide(items, {
    capacity: () => capacity,
    weightOf: ({ weight }) => weight,
    run: ({ name }) =>
      new Promise<Then>((resolve, reject) => {
        running.set(name, { resolve, reject });
      }).finally(() => running.delete(name)),
    ...(holdOff ? { holdOff } : {}),
    signal,
  });
  const settle = async (name: string, how: "resolve" | "reject" | "again" | "at the end" = "resolve") => {
    if (how === "reject") running.get(name)?.reject(new Error(`${name} failed`));
    else running.get(name)?.resolve(how === "resolve" ? undefined : how);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { all, settle, names: () => [...running.keys()] };
}

const item = (name: string, weight = 1): Item => ({ name, weight });

describe("items side by side", () => {
  test("as many as the capacity allows, in their order", async () => {
    const { all, settle, names } = workshop([item("a"), item("b"), item("c")], 2);
    expect(names()).toEqual(["a", "b"]);
    await settle("a");
    expect(names()).toEqual(["b", "c"]);
    await settle("b");
    await settle("c");
    await all;
  });

  test("one that does not fit yet is overtaken, and one that never fits runs alone", async () => {
    const { all, settle, names } = workshop([item("a"), item("huge", 9), item("b"), item("c")], 2);
    expect(names()).toEqual(["a", "b"]);
    await settle("a");
    expect(names()).toEqual(["b", "c"]);
    await settle("b");
    await settle("c");
    expect(names()).toEqual(["huge"]);
    await settle("huge");
    await all;
  });

  test("what is to run again does so before all that wait", async () => {
    const { all, settle, names } = workshop([item("a"), item("b"), item("c")], 1);
    await settle("a", "again");
    expect(names()).toEqual(["a"]);
    await settle("a");
    await settle("b");
    await settle("c");
    await all;
  });

  test("what is to run at the end does so after all that wait, and those that run again", async () => {
    const { all, settle, names } = workshop([item("a"), item("b"), item("c")], 1);
    await settle("a", "at the end");
    await settle("b", "again");
    await settle("b");
    expect(names()).toEqual(["c"]);
    await settle("c");
    expect(names()).toEqual(["a"]);
    await settle("a");
    await all;
  });

  test("while they are held off only one runs, and the rest when it is asked again", async () => {
    let again: () => void = () => {};
    let isHeld = true;
    const holdOff = () => (isHeld ? new Promise<void>((resolve) => (again = resolve)) : undefined);
    const { all, settle, names } = workshop([item("a"), item("b"), item("c")], 2, undefined, holdOff);
    expect(names()).toEqual(["a"]);
    await settle("a");
    expect(names()).toEqual(["b"]);
    isHeld = false;
    again();
    await settle("none");
    expect(names()).toEqual(["b", "c"]);
    await settle("b");
    await settle("c");
    await all;
  });

  test("after an error nothing more is begun, and what runs comes to its end", async () => {
    const { all, settle, names } = workshop([item("a"), item("b"), item("c")], 2);
    await settle("a", "reject");
    expect(names()).toEqual(["b"]);
    await settle("b");
    await expect(all).rejects.toThrow("a failed");
  });

  test("after an abort nothing more is begun", async () => {
    const controller = new AbortController();
    const { all, settle, names } = workshop([item("a"), item("b")], 1, controller.signal);
    controller.abort();
    await settle("a");
    await all;
    expect(names()).toEqual([]);
  });
});

test("a gate lets so many in, the next when one leaves, who may leave twice", async () => {
  const enter = createGate(1);
  const leave = await enter();
  let inside = false;
  const second = enter().then((leaveToo) => {
    inside = true;
    return leaveToo;
  });
  await Promise.resolve();
  expect(inside).toBe(false);
  leave();
  leave();
  (await second)();
  expect(inside).toBe(true);
  const third = await enter();
  third();
});
