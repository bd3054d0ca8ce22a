import { visible } from "../escape.ts";

export interface Annotation {
  level: "error" | "warning" | "notice";
  title: string;
  message: string;
}

const most = 10;

/** Workflow commands of GitHub Actions. It shows ten of each level a step: the rest is counted in the last. */
export function renderAnnotations(annotations: readonly Annotation[]): string {
  return (["error", "warning", "notice"] as const)
    .flatMap((level) => {
      const all = annotations.filter((annotation) => annotation.level === level);
      if (all.length <= most) return all;
      const left = all.length - most + 1;
      return [...all.slice(0, most - 1), { level, title: "Holdfast", message: `${left} more; see the report.` }];
    })
    .map(({ level, title, message }) => `::${level} title=${property(title)}::${data(visible(message, 1000))}\n`)
    .join("");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(visible(text, 200)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
