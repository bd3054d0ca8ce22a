/** A page of the documentation as a test sees it: files to write down, and commands to run, in the order of the page. */
export interface Page {
  /** Blocks of code whose first line is a comment with a file name. */
  files: readonly { name: string; contents: string }[];
  commands: readonly DocumentedCommand[];
}

/** A line of a `sh` block, with what the comment before the block says about testing it. */
export interface DocumentedCommand {
  /** As a reader would paste it. */
  written: string;
  line: number;
  directives: Directives;
}

/**
 * `<!-- test: ... -->` before a block, or `<!-- test page: ... -->` for the whole page; several are separated by `;`:
 * - `exit 1`: the exit code that is expected instead of 0; `exit 0 or 69`
 * - `env HARNESS_DRY_RUN=true`, `replace "10m" with "1s"`: what shortens it; not in `npm run soak:docs`
 * - `soak exit 0 or 1 or 2`: the exit codes there, where a run ends with its verdict
 * - `before "npx harness ..."`: what has to be there already, run before the block
 * - `skip because ...`: never run, and why
 */
export interface Directives {
  exit: readonly number[];
  soakExit?: readonly number[];
  before?: string;
  env: Readonly<Record<string, string>>;
  replace: readonly (readonly [from: string, to: string])[];
  skip?: string;
}

const fence = /^(?:<!-- test: (?<directives>.*?) -->\n+)?```(?<language>[\w-]*)\n(?<body>[\s\S]*?)^```$/gm;
const pageDirective = /^<!-- test page: (.*?) -->$/m;
const fileName = /^(?:\/\/|#) (?<name>[\w./-]+\.(?:ts|mts|js|mjs|cjs|json|ya?ml|py|txt))\s*$/;

/** Throws for a directive that nobody understands. */
export function readPage(markdown: string): Page {
  const ofPage = pageDirective.exec(markdown)?.[1];
  const files: Page["files"][number][] = [];
  const commands: DocumentedCommand[] = [];
  for (const match of markdown.matchAll(fence)) {
    const { directives, language = "", body = "" } = match.groups as Record<string, string | undefined>;
    const name = fileName.exec(body.split("\n", 1)[0] ?? "")?.groups?.name;
    if (language !== "sh" && name !== undefined) files.push({ name, contents: body });
    if (language !== "sh") continue;
    const parsed = parseDirectives([ofPage, directives].filter((text) => text !== undefined).join("; "));
    const line = markdown.slice(0, match.index).split("\n").length;
    const { before: _before, ...rest } = parsed;
    for (const [index, written] of linesOf(body).entries()) {
      commands.push({ written, line, directives: index === 0 ? parsed : rest });
    }
  }
  return { files, commands };
}

/** Commands that stand in a block of no language, and are therefore not run. */
export function unmarkedCommands(markdown: string): string[] {
  return [...markdown.matchAll(fence)]
    .filter(({ groups }) => groups?.language === "")
    .flatMap(({ groups }) => linesOf(groups?.body ?? ""))
    .filter((line) => /^(npx harness|harness|HARNESS_\w+=) /.test(line));
}

/** The command as a test runs it. */
export function shortened({ written, directives: { replace } }: DocumentedCommand): string {
  return replace.reduce((text, [from, to]) => text.replaceAll(from, to), written);
}

function linesOf(body: string): string[] {
  return body
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function parseDirectives(text: string): Directives {
  const directives: { -readonly [Key in keyof Directives]: Directives[Key] } = { exit: [0], env: {}, replace: [] };
  for (const one of text.split(";").map((part) => part.trim())) {
    if (one === "") continue;
    const [word = "", rest = ""] = [/^\w+/.exec(one)?.[0], one.replace(/^\w+\s*/, "")];
    const replaced = /^"(.*)" with "(.*)"$/.exec(rest);
    const assigned = /^([A-Z_]+)=(.*)$/.exec(rest);
    const soak = /^exit (\d+(?: or \d+)*)$/.exec(rest)?.[1];
    if (word === "exit" && /^\d+( or \d+)*$/.test(rest)) directives.exit = rest.split(" or ").map(Number);
    else if (word === "soak" && soak !== undefined) directives.soakExit = soak.split(" or ").map(Number);
    else if (word === "env" && assigned) directives.env = { ...directives.env, [assigned[1] ?? ""]: assigned[2] ?? "" };
    else if (word === "replace" && replaced) {
      directives.replace = [...directives.replace, [replaced[1] ?? "", replaced[2] ?? ""]];
    } else if (word === "before" && /^".*"$/.test(rest)) directives.before = rest.slice(1, -1);
    else if (word === "skip" && /^because .{10,}/.test(rest)) directives.skip = rest.replace(/^because /, "");
    else throw new Error(`the documentation has a test directive that is not understood: ${one}`);
  }
  return directives;
}
