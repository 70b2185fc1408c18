import type { PackageClass } from '@heddle/contracts-messages';

/** Places of the versions, by key of the node and number, that can be installed. */
export const installableSql = `
select asked.at::int as at
from unnest($1::text[], $2::text[]) with ordinality as asked (node_key, version, at)
join registry.version v on v.node_key = asked.node_key and v.version = asked.version and v.status in ('active', 'flagged')
join registry.node n on n.node_key = v.node_key and n.status = 'active'
join registry.publisher p on p.publisher_id = n.publisher_id and p.status = 'active'`;

/** The classes of a version in any status, in the order of their list; one row without a class if it has none. */
export const versionClassesSql = `
select v.state #>> '{extraction,status}' = 'success' as is_whole, w.name, w.doc ->> 'input_types' as input_types,
  w.doc ->> 'return_types' as return_types, (w.doc ->> 'output_node')::boolean as output_node, w.doc -> 'unknown' as unknown
from registry.version v left join registry.wf_node w on w.version_id = v.version_id
where v.node_key = $1 and v.version = $2
order by w.at`;

export interface VersionClassRow {
  /** Null: nothing was read yet. */
  readonly is_whole: boolean | null;
  /** Null: the version has no class. */
  readonly name: string | null;
  readonly input_types: string;
  readonly return_types: string;
  readonly output_node: boolean;
  readonly unknown: readonly string[];
}

export function classIn({ name, input_types, return_types, output_node, unknown }: VersionClassRow): PackageClass[] {
  if (name === null) return [];
  return [{ name, inputTypes: input_types, returnTypes: return_types, outputNode: output_node, unknown }];
}
