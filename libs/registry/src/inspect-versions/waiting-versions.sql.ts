export interface WaitingVersion {
  readonly version_id: string;
  readonly node_id: string;
  readonly version: string;
  readonly blob: string;
}

/** The oldest version whose bytes nobody has looked into. $1: ids that failed here a moment ago. */
export const nextWaitingSql = `
select v.version_id, n.node_id, v.version, v.blob from registry.version v join registry.node n on n.node_key = v.node_key
where v.waits and v.version_id <> all ($1::uuid[]) order by v.created_at limit 1`;

/** A row: the version was to be scanned again. */
export const endRescanSql = `
update registry.version set is_rescan = false where version_id = $1 and is_rescan returning 1`;

export const insertListSql = `
insert into registry.class_list (hash, content) values ($1, $2) on conflict do nothing`;
export const deleteClassesSql = `delete from registry.wf_node where version_id = $1`;
/** $2: the names in the order of the list, as JSON; a document may hold what PostgreSQL cannot read a name from. */
export const insertClassesSql = `
insert into registry.wf_node (version_id, name, at, doc)
select $1, n.name, row_number() over (order by n.name collate "C") - 1, n.doc
from registry.class_list l, rows from (json_array_elements_text($2::json), json_array_elements(convert_from(l.content, 'UTF8')::json))
  as n (name, doc)
where l.hash = $3`;
