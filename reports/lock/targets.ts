/** `client:1-node:1 client:2-node:1 client:3-node:1` -> "3 connections"; one or two targets as they are. */
export function targetText(target: string): string {
  const targets = target.split(" ").filter((one) => one !== "");
  if (targets.length <= 2) return targets.join(" and ");
  const kinds = new Set(targets.map((one) => (one.includes("-") ? "connections" : `${one.split(":")[0]}s`)));
  return kinds.size === 1 ? `${targets.length} ${[...kinds][0]}` : `${targets.length} targets`;
}
