import type { CrdtAdapter, Replica, ReplicaContext } from "../../../harness/contracts/crdt-adapter.ts";
import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { ROW_FIELDS } from "../replicas/fields.ts";
import { decodeState, encodeState } from "../types/codec.ts";
import { changeRow, emptyRow, type PlainRow, showRow } from "./plain-row.ts";

/** A row as of a place in the one order of all writes. */
export interface CommittedRow {
  readonly row: PlainRow;
  /** Counts the writes of all regions, in the order agreed on. */
  readonly position: number;
}

/** What a majority of the members holds: the end of the log, and the region that wrote it. */
interface Quorum {
  latest: CommittedRow;
  writer: number;
  /** Places of members that lost their disks. A replacement may ask for writes and has no vote. */
  readonly lost: Set<number>;
}

/**
 * Writes in one agreed order, as Spanner and CockroachDB do: a write is a round trip to a majority, whichever way it is
 * won (Paxos, Raft), and there is no conflict afterwards. The vote is taken at once here, between the regions that reach
 * each other; a region without a majority refuses writes. What was agreed on reaches the others' reads by messages.
 * Source: L. Lamport: The Part-Time Parliament (ACM TOCS, 1998).
 */
export class ConsensusReplica implements Replica<CommittedRow, CommittedRow, number> {
  private readonly context: ReplicaContext<CommittedRow>;
  private current: CommittedRow;

  constructor(context: ReplicaContext<CommittedRow>, current: CommittedRow) {
    this.context = context;
    this.current = current;
  }

  apply(operation: Operation): string | undefined {
    const quorum = quorumOf(this.context);
    if (!this.hasMajority(quorum)) return "NO_QUORUM";
    if (this.current.position < quorum.latest.position) {
      if (quorum.lost.has(quorum.writer)) return "NO_QUORUM";
      this.context.learned(quorum.writer);
      this.current = quorum.latest;
    }
    this.current = { row: changeRow(this.current.row, operation), position: this.current.position + 1 };
    quorum.latest = this.current;
    quorum.writer = this.context.index;
    return undefined;
  }

  export(): CommittedRow {
    return this.current;
  }

  receive(message: CommittedRow): string | undefined {
    if (message.position > this.current.position) this.current = message;
    return undefined;
  }

  value(): unknown {
    return showRow(this.current.row);
  }

  save(): CommittedRow {
    return this.current;
  }

  state(): CommittedRow {
    return this.current;
  }

  version(): number {
    return this.current.position;
  }

  private hasMajority({ lost }: Quorum): boolean {
    const { regions, index } = this.context;
    const votes = regions.filter((_, place) => !lost.has(place) && (place === index || this.context.reaches(place)));
    return votes.length > regions.length / 2;
  }
}

export function createAdapter(): CrdtAdapter<CommittedRow, CommittedRow, number> {
  return {
    name: "consensus",
    summary: "every write in one agreed order, at a round trip to a majority each; without a majority no writes",
    writesWaitFor: "a majority, for every write: a round trip, or no write without one",
    style: "immutable",
    fields: ROW_FIELDS,
    encodings: [{ name: "state", kind: "full" }],
    codec: { encode: encodeState, decode: (text) => decodeState(text as string) as CommittedRow },
    create(context) {
      if (!context.regions.includes(context.id)) quorumOf(context).lost.add(context.index);
      return new ConsensusReplica(context, { row: emptyRow(), position: 0 });
    },
    load: (saved, context) => new ConsensusReplica(context, saved),
  };
}

function quorumOf({ world }: ReplicaContext<CommittedRow>): Quorum {
  const known = world.get("quorum") as Quorum | undefined;
  if (known !== undefined) return known;
  const fresh: Quorum = { latest: { row: emptyRow(), position: 0 }, writer: 0, lost: new Set() };
  world.set("quorum", fresh);
  return fresh;
}
