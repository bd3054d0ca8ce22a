import type { ConfigFile } from "../config/config-file.ts";
import type { OptionTable } from "../config/option.ts";
import type { Resolved } from "../config/resolve.ts";
import type { CommandIo } from "./io.ts";

export interface Positional {
  name: string;
  summary: string;
  required?: boolean;
  /** Takes all that follow. */
  many?: boolean;
  choices?: readonly string[];
}

export interface CommandExample {
  /** Without the leading `harness`; works as pasted. */
  command: string;
  does: string;
}

/** A command: what the help, completion and documentation know of it, and what it does. */
export interface Command<Table extends OptionTable = OptionTable> {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  positionals?: readonly Positional[];
  options: Table;
  /** Name of its section in the configuration file. Absent: it reads none. */
  section?: string;
  examples: readonly CommandExample[];
  /** True: a signal is the usual way to end it, and no interruption. */
  untilSignal?: boolean;
  /** Runs it and gives the exit code. */
  run(input: CommandInput<Table>, io: CommandIo): Promise<number> | number;
}

export interface CommandInput<Table extends OptionTable> {
  options: Resolved<Table>;
  positionals: readonly string[];
  file: ConfigFile | undefined;
}

/** Keeps the types of a command's options. */
export const defineCommand = <Table extends OptionTable>(command: Command<Table>): Command<Table> => command;
