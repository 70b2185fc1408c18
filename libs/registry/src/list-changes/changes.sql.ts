import { eventOfNumberSql } from '@heddle/platform-event-log';
import { REGISTRY_SCHEMA } from '../registry-schema/registry-migrations.js';

export interface ChangeRow {
  readonly seq: string;
  readonly type: string;
  readonly node_id: string;
  readonly version: string;
  readonly at: string;
}

/** What people report and ask is not for mirrors. */
const PRIVATE = `('NodeReported', 'ReviewRequested')`;

/** Events of numbers behind $1, at most $2, in their order. Numbers have no gap, and come in the order of commits. */
export const changesSql = `
select s.seq, e.type, coalesce(own.node_id, whole.node_id, '') as node_id,
  coalesce(v.version, '') as version,
  to_char(e.recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
from registry.event_seq s ${eventOfNumberSql(REGISTRY_SCHEMA, 's')}
left join registry.version v on v.version_id = e.stream_id
left join registry.node own on own.node_key = v.node_key
left join registry.node whole on whole.stream_id = e.stream_id
where s.seq > $1::bigint and e.type not in ${PRIVATE}
order by s.seq limit $2::int`;
