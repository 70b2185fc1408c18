import { VERSION_COLUMNS } from '../find-versions/version-rows.sql.js';

const MEMBERS = `
(select coalesce(json_agg(json_build_object('member_id', m.member_id, 'account_id', m.account_id, 'role', m.role)
  order by m.role desc, m.member_id), '[]') from registry.member m where m.publisher_id = p.publisher_id)`;

/** Columns of a `NodeRecordRow`. */
const NODE_COLUMNS = `
n.state as node_state, p.state as publisher_state, p.profile, ${MEMBERS} as members,
coalesce(c.downloads, 0)::float8 as downloads, coalesce(c.stars, 0)::float8 as stars,
coalesce(c.reviews, 0)::float8 as reviews, ${VERSION_COLUMNS}`;
const NODE_TABLES = `
registry.node n join registry.publisher p on p.publisher_id = n.publisher_id
left join registry.node_count c on c.node_key = n.node_key
left join registry.version v on v.version_id = n.latest_id`;

export const oneNodeSql = `select ${NODE_COLUMNS} from ${NODE_TABLES} where n.node_key = $1`;
export const onePublisherSql = `
select p.state, p.profile, ${MEMBERS} as members from registry.publisher p where p.publisher_id = $1`;
/** At most 1000. */
export const publishersOfAccountSql = `
select p.state, p.profile, ${MEMBERS} as members
from registry.member own join registry.publisher p on p.publisher_id = own.publisher_id
where own.account_id = $1 order by own.publisher_id limit 1000`;

/** Nodes that are there and shown, with what lists are sorted by. */
export const SHOWN_NODES = `
select n.node_key, n.name, n.created_at, coalesce(c.downloads, 0) as downloads,
  case when coalesce(c.reviews, 0) = 0 then 0 else c.stars::float8 / c.reviews end as rating
from registry.node n join registry.publisher p on p.publisher_id = n.publisher_id
left join registry.node_count c on c.node_key = n.node_key
where n.status = 'active' and p.status = 'active'`;

/** A page of the nodes that a query finds, in an order of its columns; one row more than none, for the total. */
export function nodePageSql(found: string, order: string): string {
  return `
with found as materialized (${found}),
page as (
  select node_key, row_number() over () as at from (
    select * from found order by ${order} offset $1::bigint limit $2::int) first)
select (select count(*) from found)::float8 as total, ${NODE_COLUMNS}
from (select) as one left join (page join (${NODE_TABLES}) on n.node_key = page.node_key) on true order by page.at`;
}
