/** ms since 1970 by a clock that is never set: every thread reads the same, so that one may tell another when to end. */
export const absoluteNowMs = (): number => performance.timeOrigin + performance.now();
