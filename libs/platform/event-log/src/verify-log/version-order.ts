import type pg from 'pg';
import type { BinaryRow } from '@heddle/platform-database';
import type { FaultList } from './log-fault.js';

/** Maximum streams whose newest version is kept in memory, about 100 bytes each. */
const MAX_STREAMS = 200_000;
const PER_STATEMENT = 10_000;

/** Column indexes in the row that `take` receives. */
interface VersionFields {
  readonly streamId: number;
  readonly version: number;
  readonly isTerminal: number;
}

/**
 * Finds events numbered before their predecessor in the stream. Usually the predecessor was among the last events and
 * is in memory; the others (a purge long after the end) are looked up, many per statement.
 */
export class VersionOrder {
  readonly #versions = new Map<string, number>();
  #doubts: { readonly seq: number; readonly streamId: string; readonly version: number }[] = [];

  constructor(
    private readonly schema: string,
    private readonly fields: VersionFields,
    private readonly faults: FaultList,
  ) {}

  take(seq: number, row: BinaryRow): void {
    const { streamId, version: versionAt, isTerminal } = this.fields;
    const stream = row.key(streamId);
    const version = row.int32(versionAt);
    if (version > 1 && this.#versions.get(stream) !== version - 1)
      this.#doubts.push({ seq, streamId: row.uuid(streamId), version });
    if (row.flag(isTerminal)) this.#versions.delete(stream);
    else this.#versions.set(stream, version);
    if (this.#versions.size > MAX_STREAMS)
      for (const oldest of this.#versions.keys()) {
        this.#versions.delete(oldest);
        break;
      }
  }

  /** Looks up predecessors that are not in memory; call it after each statement of the walk. */
  async settle(client: pg.ClientBase): Promise<void> {
    const doubts = this.#doubts;
    this.#doubts = [];
    for (let at = 0; at < doubts.length; at += PER_STATEMENT) {
      const part = doubts.slice(at, at + PER_STATEMENT);
      const { rows } = await client.query<{ seq: string; stream_id: string; version: number; is_there: boolean }>({
        text: this.#sql(),
        values: [
          part.map(({ seq }) => String(seq)),
          part.map(({ streamId }) => streamId),
          part.map(({ version }) => version),
        ],
      });
      for (const row of rows) {
        // A missing predecessor is a gap, already reported.
        if (!row.is_there && this.faults.count('gap') > 0) continue;
        const predecessor = `version ${row.version - 1} of its job`;
        const why = row.is_there ? `it has a number before ${predecessor}` : `${predecessor} is not in the log`;
        this.faults.add('version_order', why, { seq: BigInt(row.seq), streamId: row.stream_id, version: row.version });
      }
    }
  }

  #sql(): string {
    return `
      select n.seq, n.stream_id, n.version, p.stream_id is not null as is_there
        from unnest($1::bigint[], $2::uuid[], $3::int[]) n (seq, stream_id, version)
        left join ${this.schema}.event p on p.stream_id = n.stream_id and p.version = n.version - 1
        left join ${this.schema}.event_seq before on before.position = p.position
       where before.seq is null or before.seq > n.seq
       order by n.seq limit 20`;
  }
}
