/**
 * The package of each class, of the latest versions of active nodes: one that preempts the class, then the most
 * downloaded, then the oldest (registry decisions, Reading).
 */
export const findPackagesSql = `
select distinct on (w.name) w.name, n.node_key, n.state ->> 'nodeId' as node_id, v.version
from registry.wf_node w
join registry.version v on v.version_id = w.version_id
join registry.node n on n.latest_id = v.version_id and n.status = 'active'
join registry.publisher p on p.publisher_id = n.publisher_id and p.status = 'active'
left join registry.node_count c on c.node_key = n.node_key
where w.name = any ($1::text[])
order by w.name, (n.state::jsonb #> '{ranks,preempted}') ? w.name desc, coalesce(c.downloads, 0) desc, n.created_at, n.node_key`;

export interface PackageRow {
  readonly name: string;
  readonly node_key: string;
  readonly node_id: string;
  readonly version: string;
}
