/** A text as a sentence: begun with a capital, unless its first word is a name or an address, and ended by a full stop. */
export function sentence(text: string): string {
  const begun = capital(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Only a plain word is begun with a capital: `redis://127.0.0.1`, `set-nx` and `worker:1` stay as they are. */
export function capital(text: string): string {
  return /^[a-z]+[,;]?(\s|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
