import { defineCommand } from "../command.ts";

/** Each asks the command itself what may come next, so that completion never lags behind. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_harness() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" --complete "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null))
}
complete -o default -F _harness harness`,
  zsh: `#compdef harness
_harness() {
  local -a found
  found=("\${(@f)$("\${(Q)words[1]}" --complete "\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _harness harness`,
  fish: `function __harness_complete
  set -l words (commandline -opc)
  $words[1] --complete (commandline -ct) $words[2..-1] 2>/dev/null
end
complete -c harness -a '(__harness_complete)'`,
};

export const command = defineCommand({
  name: "completion",
  summary: "A script that completes commands, options and names on the command line",
  positionals: [{ name: "SHELL", summary: "Which shell", required: true, choices: Object.keys(scripts) }],
  options: {},
  examples: [
    {
      command: "completion bash > ~/.local/share/bash-completion/completions/harness",
      does: "bash, from the next shell on",
    },
    { command: "completion fish > ~/.config/fish/completions/harness.fish", does: "fish" },
  ],
  run({ positionals: [shell = ""] }, io) {
    io.stdout(`${scripts[shell]}\n`);
    return 0;
  },
});
