import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS_MIGRATIONS } from './jobs-migrations.js';

/** The schema `heddle` holds the state of migrations, which every role reads. */
const READ = ['checkpoint', 'event', 'event_held', 'event_seq', 'job', 'job_output', 'seq_cursor'];

describe('the role of analysts', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [JOBS_MIGRATIONS] });
  });
  afterAll(async () => await db.drop());
  const asAnalyst = async (statement: string): Promise<void> => {
    const client = await db.owner.connect();
    try {
      await client.query('begin; set local role heddle_analyst');
      await client.query(statement);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  it('reads the log and the rows of jobs, and no other table of a service', async () => {
    const { rows } = await db.owner.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname not in ('pg_catalog', 'information_schema', 'heddle') and n.nspname not like 'pg_%' and c.relkind in ('r', 'p', 'v', 'S')
          and (case when c.relkind = 'S' then has_sequence_privilege('heddle_analyst', c.oid, 'usage, select, update')
               else has_any_column_privilege('heddle_analyst', c.oid, 'select, insert, update, references') end)
        order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(READ);
  });

  it.each(['event', 'event_seq', 'event_held', 'seq_cursor', 'checkpoint', 'job_output'])(
    'may read %s',
    async (table) => {
      await expect(asAnalyst(`select * from jobs.${table}`)).resolves.toBeUndefined();
    },
  );

  it.each([
    'select idempotency_key from jobs.job',
    'select * from jobs.job',
    'select * from jobs.workflow',
    'select * from jobs.cursor_secret',
    'select * from jobs.idempotency_key',
    'select * from jobs.sealed_credentials',
    'delete from jobs.job_output',
    'insert into jobs.event (position) values (1)',
  ])('may not: %s', async (statement) => {
    await expect(asAnalyst(statement)).rejects.toThrow('permission denied');
  });

  it('may read every other column of jobs', async () => {
    await expect(asAnalyst('select id, status, metadata, labels, final_status from jobs.job')).resolves.toBeUndefined();
  });
});
