import type { Change, Doc, Heads, SyncMessage, SyncState } from "@automerge/automerge";

type Automerge = typeof import("@automerge/automerge");

const PEER_ACTOR = "e".repeat(32);

/**
 * What a document says in a whole run of the sync protocol with a peer at `since`. The peer's part is played by a document
 * made of what the two have in common.
 */
export function syncMessages<Content>(automerge: Automerge, document: Doc<Content>, since: Heads): SyncMessage[] {
  const apart = { actor: PEER_ACTOR };
  let ours = automerge.clone(document, apart);
  let [theirs] = automerge.applyChanges(automerge.init<Content>(apart), inCommon(automerge, document, since));
  let ourState: SyncState = automerge.initSyncState();
  let theirState: SyncState = automerge.initSyncState();
  const said: SyncMessage[] = [];
  for (;;) {
    const question: [SyncState, SyncMessage | null] = automerge.generateSyncMessage(ours, ourState);
    ourState = question[0];
    if (question[1] !== null) {
      said.push(question[1]);
      [theirs, theirState] = automerge.receiveSyncMessage(theirs, theirState, question[1]);
    }
    const answer: [SyncState, SyncMessage | null] = automerge.generateSyncMessage(theirs, theirState);
    theirState = answer[0];
    if (answer[1] !== null) [ours, ourState] = automerge.receiveSyncMessage(ours, ourState, answer[1]);
    if (question[1] === null && answer[1] === null) return said;
  }
}

/** Whether the protocol found it cheaper to send the whole document than what the peer lacks. */
export function bringsWholeDocument(automerge: Automerge, messages: readonly SyncMessage[]): boolean {
  return messages.some((message) =>
    automerge.decodeSyncMessage(message).changes.some((chunk) => chunk[CHUNK_TYPE_AT] === DOCUMENT_CHUNK),
  );
}

/** After the magic bytes and the checksum, see https://automerge.org/automerge-binary-format-spec/#chunk-container-layout */
const CHUNK_TYPE_AT = 8;
const DOCUMENT_CHUNK = 0;

function inCommon<Content>(automerge: Automerge, document: Doc<Content>, since: Heads): Change[] {
  const known = since.filter((head) => automerge.inspectChange(document, head) !== null);
  const lacking = new Set(automerge.getChangesSince(document, known).map(asKey));
  return automerge.getAllChanges(document).filter((change) => !lacking.has(asKey(change)));
}

const asKey = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
