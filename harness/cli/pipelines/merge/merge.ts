import { UsageError } from "../../../errors.ts";
import type { Result } from "../../../results/result-schema.ts";
import type { CommandIo } from "../../io.ts";
import type { MergeInput } from "../../merge-input.ts";
import type { MergeOptions } from "./merge-options.ts";

const INSTEAD_OF_LOCK =
  " One run on several machines is harness lock --remote-workers N with harness worker --join; two runs are held against each other by harness compare BASE HEAD.";

/** Joins results of one kind into one. Gives the exit code of the whole. */
export async function mergeResults(
  inputs: readonly MergeInput[],
  options: MergeOptions,
  io: CommandIo,
): Promise<number> {
  const kind = inputs[0]?.result.kind;
  switch (kind) {
    case "converge": {
      const { mergeConverge } = await import("./converge.ts");
      return await mergeConverge(ofKind(inputs, kind), options, io);
    }
    case "matrix": {
      const { mergeMatrix } = await import("./matrix.ts");
      return await mergeMatrix(ofKind(inputs, kind), options, io);
    }
    default:
      throw new UsageError(
        `Results of kind ${kind} cannot be merged: they are no parts of a whole. What can be are shards of converge and of matrix.${kind === "lock" ? INSTEAD_OF_LOCK : ""}`,
        { code: "BAD_SHARDS" },
      );
  }
}

function ofKind<Kind extends Result["kind"]>(inputs: readonly MergeInput[], kind: Kind): MergeInput<Kind>[] {
  return inputs.filter(({ result }) => result.kind === kind) as unknown as MergeInput<Kind>[];
}
