/** stdout and stderr whose readers may go away (`| head`): what is written afterwards goes nowhere. */
export class Streams {
  #stdoutGone = false;
  #stderrGone = false;
  readonly #write = process.stdout.write.bind(process.stdout);

  constructor() {
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
      this.#stdoutGone = true;
    });
    process.stderr.on("error", () => {
      this.#stderrGone = true;
    });
  }

  readonly stdout = (text: string): void => {
    if (!this.#stdoutGone) this.#write(text);
  };

  /**
   * stdout carries the command's data and nothing else: what a user's module prints there, on this thread or on another,
   * goes to stderr until the function that this gives is called.
   */
  keepStdout(): () => void {
    const { write } = process.stdout;
    process.stdout.write = ((chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
      if (!this.#stderrGone) process.stderr.write(chunk);
      const told = rest.find((argument): argument is () => void => typeof argument === "function");
      if (told) process.nextTick(told);
      // Never held back: whoever waits for stdout to drain would wait in vain.
      return true;
    }) as typeof write;
    return () => {
      process.stdout.write = write;
    };
  }

  readonly stderr = (text: string): void => {
    if (!this.#stderrGone) process.stderr.write(text);
  };
}
