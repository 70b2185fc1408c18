import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** One migration at a time per database. */
const MIGRATION_LOCK = 7_236_102;
const POLL_INTERVAL_MS = 100;
const LOCK_TIMEOUT_MS = 10 * 60_000;

/**
 * Held until the client's session ends. Polled, never waited for inside a statement: `create index concurrently` of the
 * holder would wait for that statement's snapshot, and neither would end.
 */
export async function takeMigrationLock(client: pg.PoolClient): Promise<void> {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    if (performance.now() > giveUpAt) {
      throw new Error(
        `Another process has been migrating this database for ${LOCK_TIMEOUT_MS / 60_000} minutes: wait for it to end (application_name ` +
          'heddle-migrate in pg_stat_activity), then start again.',
      );
    }
    await delay(POLL_INTERVAL_MS);
  }
}
