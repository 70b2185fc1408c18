import { copyRows, type BinaryRow } from '@heddle/platform-database';
import type pg from 'pg';
import { alongIndexes } from '../verify-log/along-indexes.js';
import { namesStreams, rangeSql, type NumberRange } from './number-range.js';

/** Numbers per statement: each statement's snapshot holds vacuum back for some 150 ms. */
const STATEMENT = 20_000n;

/**
 * Streams `columns` of the numbers `s` of a range in order to `onRow`. The columns of the event `e` are null if its
 * partition was detached, or if it is missing: then `s.link` is null too.
 */
export async function copyNumbers(
  client: pg.ClientBase,
  schema: string,
  { columns, after, to }: NumberRange & { readonly columns: string },
  onRow: (row: BinaryRow) => void,
  signal: AbortSignal,
): Promise<void> {
  await alongIndexes(client, async () => {
    for (let seq = after; seq < to;) {
      signal.throwIfAborted();
      const range = { after: seq, to: seq + STATEMENT < to ? seq + STATEMENT : to };
      const byStream = await namesStreams(client, schema, range);
      await copyRows(client, rangeSql(schema, columns, range, byStream), onRow);
      seq = range.to;
    }
  });
}
