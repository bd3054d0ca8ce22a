import { expect, test } from "vitest";
import { readPage, shortened } from "../../documentation/page.ts";

const page = `
<!-- test page: env HARNESS_QUIET=true -->

\`\`\`ts
// my-lock.ts
export const createLock = () => {};
\`\`\`

<!-- test: exit 1 or 2; replace "--time 10m" with "--time 1s" -->

\`\`\`sh
# the long one
npx harness converge --time 10m \\
  --crdt document
npx harness list locks   # all of them
\`\`\`

\`\`\`
PASSED
\`\`\`

<!-- test: skip because it needs a cluster of machines -->
\`\`\`sh
kubectl apply -f job.yaml
\`\`\`
`;

test("files and commands are found, with what is said about them", () => {
  const { files, commands } = readPage(page);
  expect(files).toEqual([{ name: "my-lock.ts", contents: "// my-lock.ts\nexport const createLock = () => {};\n" }]);
  expect(commands.map(({ written }) => written)).toEqual([
    "npx harness converge --time 10m    --crdt document",
    "npx harness list locks   # all of them",
    "kubectl apply -f job.yaml",
  ]);
  expect(commands.map(shortened)[0]).toContain("--time 1s");
  expect(commands[0]?.directives).toMatchObject({ exit: [1, 2], env: { HARNESS_QUIET: "true" } });
  expect(commands[2]?.directives.skip).toBe("it needs a cluster of machines");
});

test("a directive with a mistake in it, or a skip without a reason, is refused", () => {
  for (const wrong of ["exit one", "skip", "skip because no", "replace a with b"]) {
    expect(() => readPage(`<!-- test: ${wrong} -->\n\`\`\`sh\nls\n\`\`\`\n`)).toThrow("not understood");
  }
});
