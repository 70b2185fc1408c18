/** Columns of a `VersionRecord`. */
export const VERSION_COLUMNS = `
v.version_id, v.state, v.signature, n.node_id, n.publisher_id, n.status as node_status,
p.status as publisher_status,
case when p.status = 'banned' then p.state ->> 'reason' when n.status = 'banned' then n.state ->> 'reason' end
  as ban_reason`;
const VERSION_TABLES = `
registry.version v join registry.node n on n.node_key = v.node_key
join registry.publisher p on p.publisher_id = n.publisher_id`;

export const oneVersionSql = `
select ${VERSION_COLUMNS} from ${VERSION_TABLES} where v.node_key = $1 and v.version = $2`;
export const versionByIdSql = `select ${VERSION_COLUMNS} from ${VERSION_TABLES} where v.version_id = $1`;
/** Above every sort key. */
export const BEHIND_NONE = '\u{10ffff}';
/** Of these stored statuses, newest first, behind a version by its sort key; `BEHIND_NONE` begins with the newest one. */
export const versionsOfNodeSql = `
select v.sort_key, ${VERSION_COLUMNS} from ${VERSION_TABLES}
where v.node_key = $1 and v.status = any ($2::text[]) and v.sort_key < $3
order by v.sort_key desc limit $4::int`;
/** Pairs without a version are missing. $3: the account that asks. */
export const bulkVersionsSql = `
select asked.at::int as at, ${VERSION_COLUMNS},
  exists (select from registry.member m where m.publisher_id = n.publisher_id and m.account_id = $3) as is_member
from unnest($1::text[], $2::text[]) with ordinality as asked (node_key, version, at)
join registry.version v on v.node_key = asked.node_key and v.version = asked.version
join registry.node n on n.node_key = v.node_key
join registry.publisher p on p.publisher_id = n.publisher_id`;
