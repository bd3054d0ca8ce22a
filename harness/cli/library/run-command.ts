import { parseResult, type Result } from "../../results/result-schema.ts";
import type { Command } from "../command.ts";
import { codeIo } from "./code-io.ts";
import { givenOptions, type RunOptions, resolveCode } from "./code-options.ts";
import { storedIn } from "./run-folder.ts";

/**
 * Runs a command as the command line would with `--json`, and gives the document as an object.
 * @param caller name of the function, for messages
 */
export async function resultOfCommand<Kind extends Result["kind"]>(
  command: Command,
  kind: Kind,
  { given, positionals = [], caller }: { given: RunOptions; positionals?: readonly string[]; caller: string },
): Promise<Extract<Result, { kind: Kind }>> {
  const { cwd } = givenOptions(given, caller);
  const section = command.section ?? command.name;
  const { options, file } = await resolveCode(command.options, given, { caller, section, cwd });
  let document = "";
  let folder = "";
  const io = {
    ...codeIo(given, { cwd, argv: [command.name, ...positionals] }),
    stdout(text: string) {
      document += text;
    },
    setRunFolder(path: string) {
      folder = path;
    },
  };
  await command.run({ options: { ...options, values: { ...options.values, json: true } }, positionals, file }, io);
  const result = parseResult(document, caller);
  if (result.kind !== kind) throw new Error(`${caller} made a result of the kind ${result.kind}, not ${kind}`);
  return storedIn(result as Extract<Result, { kind: Kind }>, folder);
}
