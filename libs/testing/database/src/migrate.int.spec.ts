import { afterEach, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from './index.js';
import { connectDatabase, migrate, type Database, type SchemaMigrations } from '@heddle/platform-database';

const NOTE = {
  name: '0001-note',
  up: `
    create table sample.note (id bigint generated always as identity primary key, text text not null);
    create function sample.check_note() returns trigger language plpgsql as $$
    begin
      if new.text like '%?' then raise exception 'no questions: %', new.text; end if;
      return new;
    end $$;
    create trigger check_note before insert on sample.note for each row execute function sample.check_note();
    grant select, insert on sample.note to heddle_sample;
  `,
};
const LENGTH = {
  name: '0002-length',
  up: 'alter table sample.note add column length int generated always as (length(text)) stored;',
};
const FAILING = { name: '0003-failing', up: 'create table sample.half (); create table sample.half ();' };

function sample(...migrations: SchemaMigrations['migrations']): SchemaMigrations[] {
  return [{ schema: 'sample', role: 'heddle_sample', migrations }];
}

const used: (Database | TestDatabase)[] = [];

afterEach(async () => {
  for (const each of used.splice(0).reverse()) await ('drop' in each ? each.drop() : each.close());
});

async function fresh(): Promise<TestDatabase> {
  const database = await freshDatabase();
  used.push(database);
  return database;
}

async function connected(databaseUrl: string): Promise<Database> {
  const database = await connectDatabase({ databaseUrl });
  used.push(database);
  return database;
}

describe('migrations', () => {
  it('apply what is missing once, in order, and say what they applied', async () => {
    const { database } = await fresh();
    expect(await migrate(database, sample(NOTE))).toEqual(['sample/0001-note']);
    expect(await migrate(database, sample(NOTE, LENGTH))).toEqual(['sample/0002-length']);
    expect(await migrate(database, sample(NOTE, LENGTH))).toEqual([]);
    await database.pool('heddle_sample').query(`insert into sample.note (text) values ('four')`);
    expect((await database.pool('heddle_sample').query('select length from sample.note')).rows).toEqual([
      { length: 4 },
    ]);
  });

  it('reach the database as they were written', async () => {
    const { database } = await fresh();
    await migrate(database, sample(NOTE));
    await expect(
      database.pool('heddle_sample').query(`insert into sample.note (text) values ('why?')`),
    ).rejects.toThrow('no questions: why?');
  });

  it('run once when several processes start together', async () => {
    const { ownerUrl } = await fresh();
    const databases = await Promise.all([1, 2, 3, 4].map(async () => await connected(ownerUrl)));
    const applied = await Promise.all(databases.map(async (database) => await migrate(database, sample(NOTE, LENGTH))));
    expect(applied.flat().sort()).toEqual(['sample/0001-note', 'sample/0002-length']);
  });

  it('keep the steps before the one that fails, and nothing of that one', async () => {
    const { database, owner } = await fresh();
    await expect(migrate(database, sample(NOTE, FAILING))).rejects.toThrow(/already exists/);
    expect((await owner.query(`select to_regclass('sample.half') as half`)).rows).toEqual([{ half: null }]);
    expect(await migrate(database, sample(NOTE, LENGTH))).toEqual(['sample/0002-length']);
  });

  it('refuse an older schema where they are not allowed, and tolerate a newer one', async () => {
    const { database } = await fresh();
    await migrate(database, sample(NOTE));
    await expect(migrate(database, sample(NOTE, LENGTH), { allow: false })).rejects.toThrow('sample/0002-length');
    await migrate(database, sample(NOTE, LENGTH));
    expect(await migrate(database, sample(NOTE), { allow: false })).toEqual([]);
    expect(await migrate(database, sample(NOTE))).toEqual([]);
  });
});

describe('a service role', () => {
  it('has the rights that its migrations grant and no others', async () => {
    const { database } = await fresh();
    await migrate(database, sample(NOTE));
    const pool = database.pool('heddle_sample');
    await pool.query(`insert into sample.note (text) values ('kept')`);
    for (const forbidden of [
      'update sample.note set text = text',
      'delete from sample.note',
      'truncate sample.note',
      'drop table sample.note',
      'create table sample.other ()',
      'create table public.other ()',
      'create schema other',
      'select * from heddle.service_role',
      'create role other',
    ]) {
      await expect(pool.query(forbidden), forbidden).rejects.toThrow(/permission denied|must be owner/);
    }
  });

  it('has sessions that end by themselves when they hang', async () => {
    const { database } = await fresh();
    await migrate(database, sample(NOTE));
    const { rows } = await database.pool('heddle_sample').query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in
         ('idle_in_transaction_session_timeout', 'statement_timeout', 'lock_timeout', 'application_name') order by name`,
    );
    expect(rows.map(({ setting }) => setting)).toEqual(['test:heddle_sample', '5000', '2000', '10000']);
  });

  it('gets its new password when the owner has a new one', async () => {
    const { database, owner } = await fresh();
    await migrate(database, [{ schema: 'renewed', role: 'heddle_renewed', migrations: [] }]);
    await owner.query(
      `alter role heddle_renewed password 'scrambled'; update heddle.service_role set fingerprint = 'old'`,
    );
    await expect(database.pool('heddle_renewed').query('select')).rejects.toThrow(/password authentication failed/);
    await migrate(database, [{ schema: 'renewed', role: 'heddle_renewed', migrations: [] }]);
    await database.pool('heddle_renewed').query('select');
  });

  it('is asked of an administrator where the owner may not create roles, with SQL that holds no password', async () => {
    const { owner, ownerUrl } = await fresh();
    const suffix = `${process.pid}_${Date.now()}`;
    const limited = `limited_${suffix}`;
    const role = `heddle_asked_${suffix}`;
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    await owner.query(
      `create role ${limited} login password 'limited'; alter database ${rows[0]?.name} owner to ${limited}`,
    );
    await owner.query(
      `grant all on schema heddle to ${limited}; grant all on all tables in schema heddle to ${limited}`,
    );
    const url = new URL(ownerUrl);
    url.username = limited;
    url.password = 'limited';
    const asked = [
      {
        schema: 'asked',
        role,
        migrations: [{ name: '0001-it', up: `create table asked.it (); grant select on asked.it to ${role};` }],
      },
    ];
    const database = await connected(url.href);
    const error = await migrate(database, asked).catch((refusal: unknown) => refusal);
    const sql = String(error).slice(String(error).indexOf('create role'));
    expect(sql).toMatch(new RegExp(`^create role ${role} login password 'SCRAM-SHA-256\\$`));
    expect(sql).not.toContain(database.rolePassword(role));

    await owner.query(sql);
    expect(await migrate(database, asked)).toEqual(['asked/0001-it']);
    expect((await database.pool(role).query('select * from asked.it')).rowCount).toBe(0);
    await database.close();
    await owner.query(
      `drop owned by ${role}, ${limited} cascade; alter database ${rows[0]?.name} owner to current_user`,
    );
    await owner.query(`drop role ${role}; drop role ${limited}`);
  });
});

describe('connecting', () => {
  it('names the setting when the database cannot be used', async () => {
    const { ownerUrl } = await fresh();
    const wrong = new URL(ownerUrl);
    wrong.password = 'wrong';
    await expect(connectDatabase({ databaseUrl: wrong.href })).rejects.toThrow(
      /HEDDLE_DATABASE_URL.*password authentication failed/,
    );
    wrong.password = '';
    await expect(connectDatabase({ databaseUrl: wrong.href })).rejects.toThrow(/HEDDLE_DATABASE_URL has no password/);
  });

  it('keeps a pool usable after the server ended all its sessions, one of them in use', async () => {
    const { database, owner } = await fresh();
    await migrate(database, sample(NOTE));
    const pool = database.pool('heddle_sample');
    await pool.query('select');
    const held = await pool.connect();
    await owner.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'heddle_sample' and datname = current_database()`,
    );
    await expect(held.query('select')).rejects.toThrow();
    held.release(true);
    await expect
      .poll(
        async () =>
          await pool.query('select').then(
            () => 'answered',
            () => 'failed',
          ),
        { timeout: 20_000 },
      )
      .toBe('answered');
  });
});
