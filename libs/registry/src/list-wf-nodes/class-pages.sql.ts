import type { WfNode } from '@heddle/contracts-registry';

export interface ClassRow {
  readonly doc: WfNode;
  readonly node_id: string;
  readonly version: string;
}

/** Versions whose classes follow each other in a list. */
export interface ClassSource {
  readonly node_id: string;
  readonly version_id: string;
  /** Their number. */
  readonly classes: number;
}

/** Classes of parts of versions: the part of each begins and ends at a place, in the order of the parts. */
export const classPartsSql = `
select w.doc, n.node_id, v.version
from unnest($1::uuid[], $2::int[], $3::int[]) with ordinality as part (version_id, first, last, place)
join registry.version v on v.version_id = part.version_id
join registry.node n on n.node_key = v.node_key
join registry.wf_node w on w.version_id = part.version_id and w.at between part.first and part.last
order by part.place, w.at`;

/** What changed of the listing behind a revision; one row more than none, with the revision that is reached. */
export const listingChangesSql = `
select h.revision, l.node_key, l.node_id, l.version_id, l.classes
from registry.listing_head h left join registry.listing l on l.revision > $1::bigint`;

export interface ListingChange {
  readonly revision: string;
  /** Null: nothing changed. */
  readonly node_key: string | null;
  readonly node_id: string;
  readonly version_id: string | null;
  readonly classes: number;
}

const OF_A_NUMBER = `
from registry.version v join registry.node n on n.node_key = v.node_key
join registry.publisher p on p.publisher_id = n.publisher_id
where n.status = 'active' and p.status = 'active' and v.status in ('active', 'flagged')`;
const FILTERS = `($1::text is null or v.node_key = $1) and ($2::text is null or v.version = $2)`;

/** The latest version of a node. */
export const latestSourceSql = `
select l.node_id, l.version_id, l.classes from registry.listing l where l.node_key = $1 and l.version_id is not null`;

/** Versions of a number, of one node ($1) or of all. */
export const sourcesOfNumberSql = `
select n.node_id, v.version_id, v.classes ${OF_A_NUMBER} and ${FILTERS}`;

/** Classes of a name ($3) in the latest version of each node, or of one. A version has a name once. */
export const namedLatestSql = `
select l.node_id, l.version_id, w.at as first from registry.listed_class c join registry.listing l on l.node_key = c.node_key
join registry.wf_node w on w.version_id = l.version_id and w.name = c.name
where c.folded = $4 and c.name = $3 and ($1::text is null or c.node_key = $1) and $2::text is null`;

export const namedOfNumberSql = `
select n.node_id, v.version_id, w.at as first ${OF_A_NUMBER.replace(
  'where',
  'join registry.wf_node w on w.version_id = v.version_id\nwhere',
)} and ${FILTERS} and w.name = $3 and $4::text is not null`;
