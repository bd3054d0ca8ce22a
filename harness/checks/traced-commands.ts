import type { HistoryEvent, TraceDetail } from "../contracts/history.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";
import { carries, serverKeys } from "./server-keys.ts";

export interface TracedCommand {
  event: HistoryEvent;
  node: number;
}

/** Commands from clients by the token of a hold that they carry; what scripts call inside does not count. */
export const commandsByToken = remember((index: RoundIndex): ReadonlyMap<string, readonly TracedCommand[]> => {
  const tokens = new Set(serverKeys(index).holds.map(({ token }) => token));
  const byToken = new Map<string, TracedCommand[]>();
  for (const event of index.trace) {
    const detail = event.detail as TraceDetail | undefined;
    if (detail?.kind !== "command" || detail.client === "lua" || detail.client === "fault") continue;
    const token = event.token ?? detail.args.find((arg) => tokens.has(arg));
    if (token === undefined || !carries(event, detail, token)) continue;
    const own = byToken.get(token);
    if (own) own.push({ event, node: detail.node });
    else byToken.set(token, [{ event, node: detail.node }]);
  }
  return byToken;
});
