/** Resolves after the time or when the signal aborts, whichever comes first. */
export function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    // Whole milliseconds, rounded down by the timer otherwise: never before its time.
    const timer = setTimeout(done, Math.ceil(ms));
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Rejects with the signal's reason when it aborts, whatever the promise waits for. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value> | undefined,
): Promise<Awaited<Value>> {
  signal.throwIfAborted();
  let abort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return (await Promise.race([promise, aborted])) as Awaited<Value>;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
