/** The exit code that tells by which signal a command was interrupted. */
export const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type InterruptSignal = keyof typeof signalExitCodes;

export interface SignalWatch {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /** The signal that came, if one did. */
  interruptedBy(): InterruptSignal | undefined;
  onEmergency(act: () => void): () => void;
  /** Lets signals have their usual effect again. */
  stop(): void;
}

/** The first signal asks for an orderly end; the second runs the emergency acts and ends the process at once. */
export function watchSignals(
  target: Pick<NodeJS.Process, "on" | "off">,
  { tell, exit }: { tell(text: string): void; exit(code: number): void },
): SignalWatch {
  const controller = new AbortController();
  const emergencies = new Set<() => void>();
  let first: InterruptSignal | undefined;
  const listeners = (Object.keys(signalExitCodes) as InterruptSignal[]).map((name) => {
    const listener = () => {
      if (first === undefined) {
        first = name;
        tell(`${name}: ending in good order, what was recorded is kept. Once more ends at once.`);
        controller.abort(new Error(`interrupted by ${name}`));
        return;
      }
      for (const act of emergencies) act();
      exit(signalExitCodes[name]);
    };
    target.on(name, listener);
    return [name, listener] as const;
  });
  return {
    signal: controller.signal,
    interruptedBy: () => first,
    onEmergency(act) {
      emergencies.add(act);
      return () => emergencies.delete(act);
    },
    stop() {
      for (const [name, listener] of listeners) target.off(name, listener);
    },
  };
}
