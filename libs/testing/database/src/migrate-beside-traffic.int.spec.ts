import { afterEach, describe, expect, it } from 'vitest';
import { migrate, type SchemaMigration, type SchemaMigrations } from '@heddle/platform-database';
import type pg from 'pg';
import { freshDatabase, type TestDatabase } from './index.js';

const ROWS = 2_500;
const BATCH = 1_000;
const ITEMS: SchemaMigration = {
  name: '0001-items',
  up: `create table sample.item (id int primary key, size int, label text);
       insert into sample.item select n, null, 'item ' || n from generate_series(1, ${ROWS}) n;
       create table sample.batch (rows int not null);`,
};
const OTHER: SchemaMigration = { name: '0002-other', up: 'create table sample.other ()' };
const COLUMN: SchemaMigration = { name: '0003-column', up: 'alter table sample.item add column color text' };
const INDEX: SchemaMigration = {
  name: '0002-item-label',
  online: [
    {
      index: 'item_label',
      sql: 'create unique index concurrently item_label on sample.item (label)',
    },
  ],
};
const BACKFILL: SchemaMigration = {
  name: '0002-item-size',
  online: [
    {
      batch: `with rest as (select id from sample.item where size is null order by id limit ${BATCH} for update),
              done as (update sample.item i set size = length(i.label) from rest where i.id = rest.id returning i.id)
              insert into sample.batch select count(*) from done having count(*) > 0`,
    },
    { sql: 'alter table sample.item alter column size set default 0' },
  ],
};

function sample(...migrations: SchemaMigrations['migrations']): SchemaMigrations[] {
  return [{ schema: 'sample', role: 'heddle_sample', migrations }];
}

const used: TestDatabase[] = [];
const sessions: pg.PoolClient[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) session.release(true);
  for (const each of used.splice(0)) await each.drop();
});

async function fresh(): Promise<TestDatabase> {
  const database = await freshDatabase();
  used.push(database);
  return database;
}

/** A separate session with a transaction that stays open until the test ends it. */
async function transaction({ database }: TestDatabase, mode: string, statement: string): Promise<pg.PoolClient> {
  const session = await database.pool('heddle_sample').connect();
  sessions.push(session);
  await session.query(`set idle_in_transaction_session_timeout = 0; begin ${mode}`);
  await session.query(statement);
  return session;
}

/**
 * True if an event appended now could be numbered by the log's sequencer, because nothing older is in flight. Poll it:
 * a transaction of another spec's database on the same server blocks it briefly.
 */
async function canBeSequenced({ owner }: TestDatabase): Promise<boolean> {
  const appended = await owner.query<{ txid: string }>('select pg_current_xact_id()::text as txid');
  const { rows } = await owner.query<{ free: boolean }>(
    'select $1::xid8 < pg_snapshot_xmin(pg_current_snapshot()) as free',
    [appended.rows[0]?.txid],
  );
  return rows[0]?.free ?? false;
}

/** Resolves when a statement of the migration waits for a lock. */
async function isBlocked({ owner }: TestDatabase): Promise<void> {
  const sql = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(async () => (await owner.query(sql)).rowCount).toBeGreaterThan(0);
}

describe('a transactional step', () => {
  it('gives up its place in the queue of a busy table, so that others go on, and comes again', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    await db.owner.query('grant select on sample.item to heddle_sample');
    const reader = await transaction(db, 'read only', 'select count(*) from sample.item');
    const migrated = migrate(db.database, sample(ITEMS, COLUMN));
    await isBlocked(db);
    const answered = await db.pool('heddle_sample').query('select count(*)::int as rows from sample.item');
    expect(answered.rows).toEqual([{ rows: ROWS }]);
    await reader.query('commit');
    expect(await migrated).toEqual(['sample/0003-column']);
  });

  it('has a transaction of its own: those before it are committed while it waits, and events get their numbers', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    await db.owner.query('grant select on sample.item to heddle_sample');
    const reader = await transaction(db, 'read only', 'select count(*) from sample.item');
    const migrated = migrate(db.database, sample(ITEMS, OTHER, COLUMN));
    await isBlocked(db);
    expect((await db.owner.query(`select to_regclass('sample.other')::text as other`)).rows).toEqual([
      { other: 'sample.other' },
    ]);
    await expect.poll(async () => await canBeSequenced(db)).toBe(true);
    await reader.query('commit');
    expect(await migrated).toEqual(['sample/0002-other', 'sample/0003-column']);
  });
});

describe('an online step', () => {
  it('builds an index beside transactions that go on, without stopping the sequencer of the log', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    const reader = await transaction(db, 'isolation level repeatable read read only', 'select count(*) from pg_class');
    await db.owner.query('begin; lock table sample.batch in access share mode; commit');
    const migrated = migrate(db.database, sample(ITEMS, INDEX));
    await isBlocked(db);
    await expect.poll(async () => await canBeSequenced(db)).toBe(true);
    await db.owner.query(`insert into sample.item values (0, 0, 'written meanwhile')`);
    await reader.query('commit');
    expect(await migrated).toEqual(['sample/0002-item-label']);
  });

  it('that was interrupted begins again: an index that is not valid is dropped and made anew', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    await db.owner.query(`insert into sample.item values (0, 0, 'item 1')`);
    await expect(migrate(db.database, sample(ITEMS, INDEX))).rejects.toThrow(/item_label/);
    const validity = `select indisvalid from pg_index where indexrelid = 'sample.item_label'::regclass`;
    expect((await db.owner.query(validity)).rows).toEqual([{ indisvalid: false }]);
    await db.owner.query('delete from sample.item where id = 0');
    expect(await migrate(db.database, sample(ITEMS, INDEX))).toEqual(['sample/0002-item-label']);
    expect((await db.owner.query(validity)).rows).toEqual([{ indisvalid: true }]);
    expect(await migrate(db.database, sample(ITEMS, INDEX))).toEqual([]);
  });

  it('fills old rows in batches, each a transaction of its own', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    expect(await migrate(db.database, sample(ITEMS, BACKFILL))).toEqual(['sample/0002-item-size']);
    expect((await db.owner.query('select rows from sample.batch order by rows desc')).rows).toEqual(
      [BATCH, BATCH, ROWS - 2 * BATCH].map((rows) => ({ rows })),
    );
    const distinct =
      'select count(distinct xmin::text)::int as transactions, count(size)::int as filled from sample.item';
    expect((await db.owner.query(distinct)).rows).toEqual([{ transactions: 3, filled: ROWS }]);
  });

  it('is not stopped by another process that waits for its turn to migrate', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    const rivals = await Promise.all([1, 2].map(async () => await migrate(db.database, sample(ITEMS, INDEX))));
    expect(rivals.flat()).toEqual(['sample/0002-item-label']);
  });
});

describe('a function of a schema', () => {
  const answering = (answer: number): SchemaMigrations[] => [
    {
      ...sample(ITEMS)[0]!,
      functions: [
        {
          name: 'answer',
          sql: `create or replace function sample.answer() returns int language sql as 'select ${answer}';`,
        },
      ],
    },
  ];
  const answer = async ({ owner }: TestDatabase): Promise<unknown> =>
    (await owner.query<{ answer: number }>('select sample.answer() as answer')).rows[0]?.answer;

  it('reaches a database of any age, and again whenever its text changed', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    expect(await migrate(db.database, answering(41))).toEqual(['sample/function answer']);
    expect(await migrate(db.database, answering(41))).toEqual([]);
    expect(await migrate(db.database, answering(42))).toEqual(['sample/function answer']);
    expect(await answer(db)).toBe(42);
    // Back to the earlier text: it is applied too.
    expect(await migrate(db.database, answering(41))).toEqual(['sample/function answer']);
    expect(await answer(db)).toBe(41);
  });

  it('is missed by a build that may not apply it', async () => {
    const db = await fresh();
    await migrate(db.database, sample(ITEMS));
    await expect(migrate(db.database, answering(41), { allow: false })).rejects.toThrow('sample/function answer.');
  });

  it('that fails leaves the one that was there, and no note', async () => {
    const db = await fresh();
    await migrate(db.database, answering(41));
    const broken = [
      {
        ...answering(41)[0]!,
        functions: [
          { name: 'answer', sql: `create or replace function sample.answer() returns text language sql as ''` },
        ],
      },
    ];
    await expect(migrate(db.database, broken)).rejects.toThrow(/return type/);
    expect(await answer(db)).toBe(41);
    expect(await migrate(db.database, answering(41))).toEqual([]);
  });
});
