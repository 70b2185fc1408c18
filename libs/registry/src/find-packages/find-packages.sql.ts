/**
 * The package of each class, of the latest versions of active nodes: one that preempts the class, then the most
 * downloaded, then the oldest (registry decisions, Reading). $2: the names in lower case, as the index has them.
 */
export const findPackagesSql = `
select distinct on (c.name) c.name, c.node_key, l.node_id, v.version
from registry.listed_class c
join registry.listing l on l.node_key = c.node_key
join registry.version v on v.version_id = l.version_id
join registry.node n on n.node_key = c.node_key
left join registry.node_count d on d.node_key = c.node_key
where c.name = any ($1::text[]) and c.folded = any ($2::text[])
order by c.name, (n.state::jsonb #> '{ranks,preempted}') ? c.name desc, coalesce(d.downloads, 0) desc, n.created_at, n.node_key`;

export interface PackageRow {
  readonly name: string;
  readonly node_key: string;
  readonly node_id: string;
  readonly version: string;
}
