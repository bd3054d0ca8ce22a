/** Whether something was thrown because the signal came before there was anything to tell. */
export function isInterruption(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && error === signal.reason;
}
