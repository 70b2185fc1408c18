import type { PoolClient } from 'pg';
import { classGrams, foldText, gramsOf, wordsOf } from '../search-nodes/search-terms.js';
import {
  deleteListedClassesSql,
  insertListedClassesSql,
  keysOfPublishersSql,
  listedRowsSql,
  nextRevisionSql,
  upsertListingSql,
} from './listing.sql.js';
import type { ListingSource } from './listing.sql.js';

/**
 * Writes what lists and the search show of these nodes and of all nodes of these publishers. Last in a transaction: its
 * lock on the head orders all such changes, and each reads what those before it have committed.
 */
export async function refreshListing(
  client: PoolClient,
  keys: readonly string[],
  publishers: readonly string[],
): Promise<void> {
  if (keys.length === 0 && publishers.length === 0) return;
  const { rows: heads } = await client.query<{ revision: string }>(nextRevisionSql);
  const owned =
    publishers.length === 0 ? [] : (await client.query<{ node_key: string }>(keysOfPublishersSql, [publishers])).rows;
  const all = new Set([...keys, ...owned.map(({ node_key }) => node_key)]);
  const { rows } = await client.query<ListingSource>(listedRowsSql, [[...all]]);
  for (const row of rows) await writeListing(client, row, heads[0]!.revision);
}

async function writeListing(client: PoolClient, row: ListingSource, revision: string): Promise<void> {
  const { node_key: key, state, version_id: versionId, classes, names } = row;
  const { text, ranks } = state;
  const labels = [text.author, ...text.tags, ...ranks.tags_admin].map(foldText).filter((label) => label !== '');
  const own = [...wordsOf(state.nodeId), ...wordsOf(text.name)];
  const folded = names.map(foldText);
  const inClasses = folded.flatMap(wordsOf);
  const others = [...labels, text.description, text.category].flatMap(wordsOf);
  await client.query(upsertListingSql, [
    key,
    state.nodeId,
    versionId,
    versionId === null ? 0 : classes,
    revision,
    foldText(text.name),
    [...new Set(own)],
    labels,
    foldText(text.repository),
    text.supported_os.map(foldText),
    text.supported_accelerators.map(foldText),
    ranks.search_ranking,
    [...gramsOf([...own, ...others, ...inClasses]), ...classGrams(inClasses)],
    gramsOf(own),
  ]);
  await client.query(deleteListedClassesSql, [key, names]);
  if (names.length > 0) await client.query(insertListedClassesSql, [key, names, folded]);
}
