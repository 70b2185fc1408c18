import { Inject, Injectable } from '@nestjs/common';
import { invalidFields } from '@heddle/contracts-messages';
import type { ListPart, RegistryEventView } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { nodeKey } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { unknown } from '../answer-admin/admin-names.js';
import { REGISTRY_POOL } from '../registry-pool.js';

const SEQ = /^\d{1,15}$/;

interface EventRow {
  /** Null: the node has no event after the asked one. */
  readonly seq: string | null;
  readonly type: string;
  readonly recorded_at: Date;
  readonly data: Buffer;
}

/** Events that have their number; the newest ones get it within milliseconds. No row: there is no such node. */
const eventsSql = `
with streams as (
  select stream_id from registry.node where node_key = $1
  union all select version_id from registry.version where node_key = $1)
select s.seq, s.type, s.recorded_at, s.data from registry.node n
left join lateral (
  select q.seq, e.type, e.recorded_at, e.data
  from streams join registry.event e on e.stream_id = streams.stream_id
  join registry.event_seq q on q.position = e.position
  where q.seq > $2 order by q.seq limit $3) s on true
where n.node_key = $1 order by s.seq`;

/** The history of a node and its versions, oldest first. */
@Injectable()
export class ReadNodeEventsHandler {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  async handle(nodeId: string, { after, limit }: ListPart): Promise<readonly RegistryEventView[]> {
    const from = after ?? '0';
    if (!SEQ.test(from)) throw new RejectionError(invalidFields({ after: 'must be the seq of an event' }));
    const { rows } = await this.pool.query<EventRow>(eventsSql, [nodeKey(nodeId), from, limit]);
    if (rows.length === 0) throw unknown({ case: 'node', id: nodeId });
    return rows.flatMap((row) => (row.seq === null ? [] : [view(row, Number(row.seq))]));
  }
}

function view({ type, recorded_at, data: stored }: EventRow, seq: number): RegistryEventView {
  const { actor, ...data } = JSON.parse(stored.toString('utf8')) as { readonly actor: string };
  return { seq, type, at: recorded_at.toISOString(), actor, data };
}
