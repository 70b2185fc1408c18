import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { assetsUnderTest } from '../assets-under-test.fixture.js';
import { withFaults } from '../blob-places.fixture.js';
import { ASSETS_MIGRATIONS, ASSETS_ROLE } from '../assets-schema/assets-migrations.js';
import { ObjectRemover } from './object-remover.js';

const BATCH = 50;
const WAITING = 20_000;

describe('many objects to delete', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [ASSETS_MIGRATIONS], poolSizes: { [ASSETS_ROLE]: 1 } });
  });
  afterAll(async () => {
    await db.drop();
  });

  it('are deleted in the order in which they were given up, many in one call, and each look reads its own batch (C15)', async () => {
    const calls: (readonly string[])[] = [];
    let rest = 4;
    const counting = (store: BlobStore): BlobStore =>
      withFaults(store, {
        delete: () => Promise.reject(new Error('one object at a time')),
        deleteAll: async (keys) => {
          calls.push(keys);
          rest -= 1;
          return await (rest > 0
            ? store.deleteAll(keys)
            : Promise.resolve(new Map(keys.map((key) => [key, new Error('enough')]))));
        },
      });
    const under = await assetsUnderTest(db.database, { sweepBatch: BATCH }, counting);
    await db.owner.query(
      `insert into assets.delete_task (object_key, created_at)
       select gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 second' from generate_series(1, ${WAITING}) n`,
    );
    await db.owner.query('analyze assets.delete_task');
    const { rows: oldest } = await db.owner.query<{ object_key: string }>(
      `select object_key from assets.delete_task order by created_at limit ${3 * BATCH}`,
    );
    const before = await rowsRead(db);
    expect(await under.get(ObjectRemover).run()).toBe(3 * BATCH);
    const read = (await rowsRead(db)) - before;
    expect(new Set(calls.slice(0, 3).flat())).toEqual(new Set(oldest.map((row) => row.object_key)));
    expect(calls.map((keys) => keys.length)).toEqual([BATCH, BATCH, BATCH, BATCH]);
    // Each task is found, locked, taken and removed; sorting all waiting tasks would read 20,000 rows for every batch.
    expect(read).toBeLessThan(12 * 4 * BATCH);
    await under.end();
  });
});

/** Rows of the table read so far, by scans and by indexes. */
async function rowsRead(db: TestDatabase): Promise<number> {
  // A session reports its reads once a second, or on request: the only one of the service, and the one of this test.
  for (const pool of [db.pool(ASSETS_ROLE), db.owner]) await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await db.owner.query<{ read: string }>(
    `select t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) as read from pg_stat_user_tables t
     where schemaname = 'assets' and relname = 'delete_task'`,
  );
  return Number(rows[0]!.read);
}
