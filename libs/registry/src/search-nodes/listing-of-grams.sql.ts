/**
 * What is listed and holds all sought grams. Always by the index: the planner does not count what it costs to unpack the
 * grams of each row, and reads all of them for a common gram, which takes five times as long at 10,000 packages.
 */
export const listingOfGramsSql = `
create or replace function registry.listing_of_grams(sought tsquery)
returns table (node_key text, name text, words text[], labels text[], repository text, supported_os text[],
  supported_accelerators text[], search_ranking float8)
language sql stable parallel safe rows 1000 set enable_seqscan = off
as $$
  select l.node_key, l.name, l.words, l.labels, l.repository, l.supported_os, l.supported_accelerators, l.search_ranking
  from registry.listing l where l.version_id is not null and l.grams @@ sought
$$;
grant execute on function registry.listing_of_grams(tsquery) to heddle_registry;
`;
