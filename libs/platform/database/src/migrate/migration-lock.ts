import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** One migration at a time per database, whoever runs it. */
const MIGRATION_LOCK = 7_236_102;
const LOOK_AGAIN_MS = 100;
const PATIENCE_MS = 10 * 60_000;

/**
 * Held by the client's session until it ends. Asked for again and again, never waited for within a statement: the snapshot
 * of such a statement is one that `create index concurrently` of the holder would wait for, and neither would end.
 */
export async function takeMigrationLock(client: pg.PoolClient): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    if (performance.now() > giveUpAt) {
      throw new Error(
        `Another process has migrated this database for ${PATIENCE_MS / 60_000} minutes: wait for it to end (application_name ` +
          'heddle-migrate in pg_stat_activity), then start again.',
      );
    }
    await delay(LOOK_AGAIN_MS);
  }
}
