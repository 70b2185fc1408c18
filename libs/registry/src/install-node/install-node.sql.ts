import { VERSION_COLUMNS } from '../find-versions/version-rows.sql.js';

/**
 * The version of a number, or the latest one where it is null; `version_id` is null where there is none. $3: whether an
 * installation counts, which it does in this statement.
 */
export const installVersionSql = `
with found as (
  select n.node_key as key, ${VERSION_COLUMNS}
  from registry.node n join registry.publisher p on p.publisher_id = n.publisher_id
  left join registry.version v
    on v.node_key = n.node_key and case when $2::text is null then v.version_id = n.latest_id else v.version = $2 end
  where n.node_key = $1
), counted as (
  insert into registry.node_count as c (node_key, downloads)
  select f.key, 1 from found f join registry.version v on v.version_id = f.version_id
  where $3::bool and v.status in ('active', 'flagged') and f.node_status = 'active' and f.publisher_status = 'active'
  on conflict (node_key) do update set downloads = c.downloads + 1
)
select * from found`;
