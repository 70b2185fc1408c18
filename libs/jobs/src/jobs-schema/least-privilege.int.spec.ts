import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectService, migrate } from '@heddle/platform-database';
import type { SchemaMigrations, ServiceDatabase } from '@heddle/platform-database';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type { Pool } from 'pg';
import { JOBS_MIGRATIONS, JOBS_ROLE } from './jobs-migrations.js';

/** Another service on the same database. */
const OTHER: SchemaMigrations = {
  schema: 'neighbour',
  role: 'heddle_neighbour',
  migrations: [
    { name: '0001-it', up: 'create table neighbour.it (id int); grant select on neighbour.it to heddle_neighbour;' },
  ],
};

/** Permissions of the jobs role, one letter each, on tables without all four of select, insert, update and delete. */
const LESS_THAN_ALL: Readonly<Record<string, string>> = {
  event: 's',
  event_seq: 's',
  event_held: 's',
  seq_cursor: 's',
  relay_cursor: 's',
  cursor_secret: 's',
  log_format: 's',
  log_identity: 's',
  checkpoint: 'si',
  ledger: 's',
  sealed_credentials: 'sid',
  intake: 'siu',
  event_partition: 's',
  migration: '',
};

/** Partitions are read and written only through `event`. */
function rightsOf(name: string): string {
  return name.startsWith('event_first') || /^event_\d/.test(name) ? '' : (LESS_THAN_ALL[name] ?? 'siud');
}

const rightsSql = `
select c.relname as name, concat(
  case when has_table_privilege($1, c.oid, 'select') then 's' end, case when has_table_privilege($1, c.oid, 'insert') then 'i' end,
  case when has_table_privilege($1, c.oid, 'update') then 'u' end, case when has_table_privilege($1, c.oid, 'delete') then 'd' end,
  case when has_table_privilege($1, c.oid, 'truncate, references, trigger') then '!' end) as rights
from pg_class c where c.relnamespace = $2::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`;

describe('the role of the jobs service', () => {
  let db: TestDatabase;
  let service: ServiceDatabase;
  let neighbour: ServiceDatabase;
  let pool: Pool;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [JOBS_MIGRATIONS] });
    await migrate(db.database, [JOBS_MIGRATIONS, OTHER]);
    service = await connectService({ databaseUrl: db.database.roleUrl(JOBS_ROLE), service: JOBS_MIGRATIONS });
    neighbour = await connectService({ databaseUrl: db.database.roleUrl(OTHER.role!), service: OTHER });
    pool = service.pool(JOBS_ROLE);
  });
  afterAll(async () => {
    await service.close();
    await neighbour.close();
    await db.drop();
  });

  it('has the rights that it needs on each table and no other', async () => {
    const { rows } = await db.owner.query<{ name: string; rights: string }>(rightsSql, [JOBS_ROLE, 'jobs']);
    expect(rows.length).toBeGreaterThan(10);
    for (const { name, rights } of rows) expect([name, rights]).toEqual([name, rightsOf(name)]);
    const others = await db.owner.query<{ rights: string }>(rightsSql, [JOBS_ROLE, 'neighbour']);
    expect(others.rows.map(({ rights }) => rights)).toEqual(others.rows.map(() => ''));
  });

  it.each([
    `update jobs.event set data = data`,
    `delete from jobs.event`,
    `truncate jobs.event`,
    `insert into jobs.event_first (event_id) values (gen_random_uuid())`,
    `update jobs.event_first set data = null, data_digest = sha256(data)`,
    `update jobs.event set data = null, data_digest = sha256(data)`,
    `insert into jobs.event (position) values (1)`,
    `insert into jobs.event (txid) values ('1')`,
    `insert into jobs.event (data_digest) values ('')`,
    `select setval('jobs.event_position', 1)`,
    `insert into jobs.event_partition values ('x')`,
    `alter table jobs.event detach partition jobs.event_first`,
    `update jobs.ledger set amount = 0`,
    `delete from jobs.ledger`,
    `insert into jobs.ledger (entry_id) overriding system value values (1)`,
    `update jobs.sealed_credentials set key_id = 'x'`,
    `update jobs.event_seq set seq = seq`,
    `update jobs.seq_cursor set seq = 0`,
    `drop trigger append_only on jobs.event`,
    `alter table jobs.event disable trigger append_only`,
    `set session_replication_role = replica`,
    `select * from neighbour.it`,
    `select * from heddle.service_role`,
    `create or replace function heddle.clock_now() returns timestamptz language sql as 'select now()'`,
    `set role heddle_neighbour`,
  ])('may not: %s', async (statement) => {
    await expect(pool.query(statement)).rejects.toThrow(/permission denied|must be owner|cannot set/);
  });

  it('keeps its tables from the roles of other services', async () => {
    const { rows } = await db.owner.query<{ name: string; rights: string }>(rightsSql, [OTHER.role, 'jobs']);
    expect(rows.filter(({ rights }) => rights !== '')).toEqual([]);
    for (const { name } of rows) {
      await expect(neighbour.pool(OTHER.role!).query(`select from jobs.${name}`)).rejects.toThrow('permission denied');
    }
    await expect(neighbour.pool(OTHER.role!).query(`select jobs.release_sequencer('x')`)).rejects.toThrow(
      'permission denied',
    );
  });
});
