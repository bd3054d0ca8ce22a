/**
 * A reporter turns a result into something for people or machines. Every callback is optional. A reporter that throws
 * never loses a result: the error is shown and the run goes on.
 */
export interface Reporter<Result> {
  /**
   * The run has a folder and begins: for whoever tells others of it. The run does not wait for what it gives, and a stored
   * run of which reports are made again does not begin.
   */
  onBegin?(begin: RunBegin, context: ReporterContext): ReporterOutput | undefined | Promise<ReporterOutput | undefined>;
  /** The result is complete and stored. Returns the files to write into the run folder, or the text for stdout. */
  onResult?(result: Result, context: ReporterContext): ReporterOutput | Promise<ReporterOutput>;
}

/** What is known of a run when it begins. */
export interface RunBegin {
  kind: "lock" | "converge" | "matrix" | "compare";
  /** Its id, and the name of its folder. */
  id: string;
  seed: number;
  /** The command line; passwords are redacted. */
  argv: readonly string[];
}

export interface ReporterContext {
  /** Absolute path of the run folder. */
  folder: string;
  colour: boolean;
  /** Absolute path of where the command was called; people see paths from there. */
  cwd?: string;
  /** Columns of the terminal; 100 where there is none. */
  width: number;
  environment: Readonly<Record<string, string | undefined>>;
}

export interface ReporterOutput {
  stdout?: string;
  /** Name within the run folder -> contents. */
  files?: Readonly<Record<string, string>>;
  /** Absolute path -> text to append, such as GITHUB_STEP_SUMMARY. */
  append?: Readonly<Record<string, string>>;
}
