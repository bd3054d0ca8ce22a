/**
 * A reporter turns a result into something for people or machines. Every callback is optional. A reporter that throws
 * never loses a result: the error is shown and the run goes on.
 */
export interface Reporter<Result> {
  /** The result is complete and stored. Returns the files to write into the run folder, or the text for stdout. */
  onResult?(result: Result, context: ReporterContext): ReporterOutput | Promise<ReporterOutput>;
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
