/**
 * The node whose latest version has a class ($1; $2: folded): one that reserves it, then the one with most downloads, then
 * the oldest. `version`: its latest.
 */
export const classNodeSql = `
select l.node_id, v.version
from registry.listed_class c join registry.listing l on l.node_key = c.node_key
join registry.version v on v.version_id = l.version_id
join registry.node n on n.node_key = c.node_key
left join registry.node_count count on count.node_key = c.node_key
where c.folded = $2 and c.name = $1
order by (n.state -> 'ranks' -> 'preempted')::jsonb ? $1 desc, coalesce(count.downloads, 0) desc, n.created_at, n.node_key
limit 1`;
