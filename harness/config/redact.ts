import { redactRedisUrl } from "../redis/redis-url.ts";

/** Options whose values may hold a password. */
const secretKeys: ReadonlySet<string> = new Set(["redis", "agents"]);

/** The values of an option, fit for eyes, logs and results. */
export const redactValues = (key: string, texts: readonly string[]): string[] =>
  texts.map((text) => (key === "joinToken" ? "***" : secretKeys.has(key) ? redactRedisUrl(text) : text));

/** A command line without passwords: those of `--redis` and `--agents`, and of whatever else looks like a URL with one. */
export function redactArgv(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    if (argv[index - 1] === "--join-token") return "***";
    if (word.startsWith("--join-token=")) return "--join-token=***";
    const [, flag = "", value = word] = /^(--(?:redis|agents)=)(.*)$/s.exec(word) ?? [];
    const isUrl =
      flag !== "" || ["--redis", "--agents"].includes(argv[index - 1] ?? "") || /^[a-z+]+:\/\/[^/]*@/i.test(word);
    return isUrl ? flag + redactRedisUrl(value) : word;
  });
}
