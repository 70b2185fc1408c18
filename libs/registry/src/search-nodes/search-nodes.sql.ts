/** What a question finds: grams, conditions on the listing `l`, and how well a row matches, 0 best. */
interface SearchParts {
  /** The place of a `tsquery`; null: of any grams. */
  readonly grams: string | null;
  readonly conditions: readonly string[];
  readonly match: string;
}

/** The seven classes of a match (registry decisions, search). `text`: the place of the folded text. */
export function matchSql(text: string): string {
  return `case when l.node_key = ${text} then 0 when l.name = ${text} then 1
    when starts_with(l.node_key, ${text}) or starts_with(l.name, ${text}) then 2 when ${text} = any (l.words) then 3
    when ${hasClassSql(text)} then 4 when ${text} = any (l.labels) then 5 else 6 end`;
}

/** The nodes of the name are read once, not for each row. */
export function hasClassSql(text: string): string {
  return `l.node_key in (select c.node_key from registry.listed_class c where c.folded = ${text})`;
}

/** Shares of the same grams, as a part of all: 1 for the same words. */
export function similarSql(grams: string): string {
  const same = `(select count(*) from unnest(l.name_grams) g where g = any (${grams}))`;
  return `(l.name_grams && ${grams} and ${same}::float8 / (cardinality(l.name_grams) + cardinality(${grams}) - ${same}) >= 0.3)`;
}

export function searchSql({ grams, conditions, match }: SearchParts): string {
  const listing = grams === null ? 'registry.listing' : `registry.listing_of_grams(${grams}::tsquery)`;
  const shown = grams === null ? ['l.version_id is not null'] : [];
  return `
select l.node_key collate "C" as node_key, ${match} as match, l.search_ranking, coalesce(c.downloads, 0) as downloads
from ${listing} l left join registry.node_count c on c.node_key = l.node_key
where ${['true', ...shown, ...conditions].join(' and ')}`;
}

export const SEARCH_ORDER = 'match, search_ranking desc, downloads desc, node_key';
