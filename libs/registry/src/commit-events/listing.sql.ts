import type { RegistryNodeState, StateJson } from '@heddle/registry-domain';

/** What a row of the listing is made of. */
export interface ListingSource {
  readonly node_key: string;
  readonly state: StateJson<RegistryNodeState>;
  /** Null: the node is not shown. */
  readonly version_id: string | null;
  readonly classes: number;
  readonly names: readonly string[];
}

/** The lock on the head, and the number of what this transaction changes. Locks of nodes come before it. */
export const nextRevisionSql = `update registry.listing_head set revision = revision + 1 returning revision`;

export const keysOfPublishersSql = `select node_key from registry.node where publisher_id = any ($1::text[])`;

/** A banned publisher's nodes are not shown, and nothing of them is rewritten. */
export const listedRowsSql = `
select n.node_key, n.state, v.version_id, coalesce(v.classes, 0) as classes,
  array(select w.name from registry.wf_node w where w.version_id = v.version_id) as names
from registry.node n join registry.publisher p on p.publisher_id = n.publisher_id
left join registry.version v on v.version_id = n.latest_id and n.status = 'active' and p.status = 'active'
where n.node_key = any ($1::text[])
order by n.node_key`;

export const upsertListingSql = `
insert into registry.listing (node_key, node_id, version_id, classes, revision, name, words, labels, repository,
  supported_os, supported_accelerators, search_ranking, grams, name_grams)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, array_to_tsvector($13::text[]), $14)
on conflict (node_key) do update set node_id = $2, version_id = $3, classes = $4, revision = $5, name = $6, words = $7,
  labels = $8, repository = $9, supported_os = $10, supported_accelerators = $11, search_ranking = $12, grams = excluded.grams,
  name_grams = $14`;

/** Names that stay are not written again. */
export const deleteListedClassesSql = `
delete from registry.listed_class where node_key = $1 and name <> all ($2::text[])`;
export const insertListedClassesSql = `
insert into registry.listed_class (node_key, name, folded)
select $1, n.name, n.folded from unnest($2::text[], $3::text[]) as n (name, folded) on conflict do nothing`;
