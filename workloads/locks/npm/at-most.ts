/** Waits for the promise, but not longer than this; what becomes of it later is all one. */
export async function atMost(limitMs: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise.catch(() => {}), limit]);
  clearTimeout(timer);
}
