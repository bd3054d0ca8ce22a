/**
 * Matches keys as `KEYS` does: `*` any text, `?` one character, `[abc]`, `[a-c]`, `[^a]` one of a set, `\` takes the next
 * character as it is.
 */
export function keyPattern(pattern: string): (key: string) => boolean {
  let source = "";
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "*") source += ".*";
    else if (character === "?") source += ".";
    else if (character === "[") {
      const end = pattern.indexOf("]", at + 1);
      const set = pattern.slice(at + 1, end === -1 ? pattern.length : end);
      source += `[${set.replaceAll(/[\\[\]]/g, "\\$&")}]`;
      at = end === -1 ? pattern.length : end;
    } else {
      if (character === "\\") at++;
      source += pattern.charAt(at).replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    }
  }
  const expression = new RegExp(`^${source}$`, "su");
  return (key) => expression.test(key);
}
