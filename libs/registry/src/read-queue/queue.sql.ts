export interface QueueRow {
  readonly kind: 'flagged' | 'review' | 'report';
  readonly entry_id: string;
  readonly node_id: string;
  readonly version: string | null;
  readonly at: Date;
  readonly text: string;
}

/** After the entry of the age $1 (milliseconds) and the id $2. Each half goes along an index. */
export const queueSql = `
select * from (
  (select 'flagged' as kind, v.version_id as entry_id, n.node_id, v.version, v.created_at as at,
    v.state ->> 'reason' as text
  from registry.version v join registry.node n on n.node_key = v.node_key
  where v.status = 'flagged' and (v.created_at, v.version_id) > (to_timestamp($1::float8 / 1000), $2::uuid)
  order by v.created_at, v.version_id limit $3)
  union all
  (select r.kind, r.request_id, n.node_id, v.version, r.created_at, r.text
  from registry.request r join registry.node n on n.node_key = r.node_key
  left join registry.version v on r.kind = 'review' and v.version_id = r.subject
  where (r.created_at, r.request_id) > (to_timestamp($1::float8 / 1000), $2::uuid)
  order by r.created_at, r.request_id limit $3)
) q order by at, entry_id limit $3`;
