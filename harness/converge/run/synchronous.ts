import { UsageError } from "../../errors.ts";

/** A replica gave a Promise where an answer belongs: no schedule says anything about such a type. */
export class PromisedAnswer extends UsageError {
  constructor(what: string, adapter: string) {
    super(
      `${adapter}: a Promise came back from ${what}(). Everything that a replica does is synchronous: apply, export, receive, value, save and all others return their answer itself. What must be awaited (loading a package, WebAssembly) is done once, in createAdapter, which may be async.`,
      { code: "ASYNC_ADAPTER" },
    );
  }
}

/** Passes an answer on. @throws PromisedAnswer */
export function atOnce<Answer>(answer: Answer, what: string, { name }: { name: string }): Answer {
  if (answer instanceof Promise) {
    // What becomes of it is nobody's business any more.
    answer.catch(() => {});
    throw new PromisedAnswer(what, name);
  }
  return answer;
}
