import {
  eventEnvelopeMigrationSql,
  eventLogFunctions,
  eventLogMigrationSql,
  eventNumbersMigration,
  eventPartitionsMigrations,
} from '@heddle/platform-event-log';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { expect } from 'vitest';

const LOG = { schema: 'jobs', role: 'heddle_export_spec', lastEvent: 'JobPurged' };
const MIGRATIONS = {
  schema: LOG.schema,
  role: LOG.role,
  migrations: [
    { name: '0001-log', up: eventLogMigrationSql(LOG.schema, LOG.role) },
    { name: '0002-envelope', up: eventEnvelopeMigrationSql(LOG.schema, LOG.role) },
    ...eventPartitionsMigrations(LOG, ['0003-partitions', '0004-partitions-online', '0005-partitions-swap']),
    eventNumbersMigration(LOG.schema, '0006-numbers'),
  ],
  functions: eventLogFunctions(LOG, 'true'),
};

/** A database with a log of jobs and nothing else. */
export async function emptyLogDatabase(): Promise<TestDatabase> {
  const db = await freshDatabase({ migrations: [MIGRATIONS] });
  await db.owner.query(`select jobs.make_event_partitions(1::bigint << 46, array[1::bigint << 40])`);
  return db;
}

/** Numbers events as the service does, until `count` have a number. */
export async function numberEvents(db: TestDatabase, count: number): Promise<void> {
  for (const deadline = Date.now() + 15_000; (await numbered(db)) < count;) {
    expect(Date.now()).toBeLessThan(deadline);
    await db.owner.query('select jobs.sequence_events($1, 1000, 100000, true)', ['spec']);
  }
}

async function numbered(db: TestDatabase): Promise<number> {
  const { rows } = await db.owner.query<{ n: number }>('select count(*)::int as n from jobs.event_seq');
  return rows[0]!.n;
}
