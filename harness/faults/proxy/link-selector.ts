/** Some links, each from a source to a node. An absent side means any. */
export interface LinkChoice {
  source?: string;
  node?: string;
}

/** True if one of the choices takes in the link; no choice at all takes in every link. */
export function takesIn(choices: readonly LinkChoice[], link: { source: string; node: string }): boolean {
  return choices.length === 0 || choices.some((choice) => matches(choice, link));
}

/** True if one of the choices takes in every link to the node, from wherever. */
export function takesInNode(choices: readonly LinkChoice[], node: string): boolean {
  return (
    choices.length === 0 ||
    choices.some((choice) => choice.source === undefined && (choice.node === undefined || choice.node === node))
  );
}

/**
 * Reads targets: `node:3` is every link to that node, `client:1` every link of that client, `client:1-node:3` one link
 * (`node:2-node:1` is a replica's); `worker:1` is `client:1`. None at all means every link.
 */
export function linkChoices(targets: readonly string[]): LinkChoice[] {
  return targets.map((target) => {
    const [first = "", second] = target.split("-");
    if (second !== undefined) return { source: sourceNamed(first), node: second };
    return first.startsWith("node:") ? { node: first } : { source: sourceNamed(first) };
  });
}

const sourceNamed = (name: string) => name.replace(/^worker:/, "client:");

function matches({ source, node }: LinkChoice, link: { source: string; node: string }): boolean {
  return (source === undefined || source === link.source) && (node === undefined || node === link.node);
}
