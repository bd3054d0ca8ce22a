import type { Progress } from "./progress.ts";

/** The world as a command sees it. */
export interface CommandIo {
  /** Data. Once the reader of stdout has gone, what is written goes nowhere, and the command goes on. */
  stdout(text: string): void;
  /** Messages. */
  stderr(text: string): void;
  progress: Progress;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The command line without node and script. */
  argv: readonly string[];
  colour: { stdout: boolean; stderr: boolean };
  /** Columns of the terminal; 100 where there is none. */
  width: number;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP: stop the load, heal, save what there is. */
  signal: AbortSignal;
  /** What the second signal does before the process ends at once: kill the tree. Gives the function that takes it back. */
  onEmergency(act: () => void): () => void;
  /** Where the stack of an internal error is stored from now on. */
  setRunFolder(folder: string): void;
}
