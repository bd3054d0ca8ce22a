/** stdout and stderr whose readers may go away (`| head`): what is written afterwards goes nowhere. */
export class Streams {
  #stdoutGone = false;
  #stderrGone = false;

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
    if (!this.#stdoutGone) process.stdout.write(text);
  };

  readonly stderr = (text: string): void => {
    if (!this.#stderrGone) process.stderr.write(text);
  };
}
