import { afterEach, describe, expect, it } from 'vitest';
import { connectDatabase, connectService, migrate, SchemaTooOldError } from '@heddle/platform-database';
import type { Database, SchemaMigrations, ServiceDatabase, ServiceDatabaseOptions } from '@heddle/platform-database';
import { freshDatabase, privateServer, type PrivateServer, type TestDatabase } from './index.js';

type OfRole = SchemaMigrations & { readonly role: string };

function serviceOf(name: string, ...steps: readonly string[]): OfRole {
  const role = `heddle_${name}`;
  const grant = `grant select, insert on ${name}.it to ${role};`;
  const up = (step: string, at: number): string =>
    at === 0 ? `create table ${name}.it (id int); ${grant}` : `create table ${name}.${step.slice(5)} (id int);`;
  return { schema: name, role, migrations: steps.map((step, at) => ({ name: step, up: up(step, at) })) };
}

const MINE = serviceOf('mine', '0001-it');
const MINE_LATER = serviceOf('mine', '0001-it', '0002-more');
const THEIRS = serviceOf('theirs', '0001-it');

const used: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const undo of used.splice(0).reverse()) await undo();
});

async function fresh(...services: readonly OfRole[]): Promise<TestDatabase> {
  const database = await freshDatabase();
  used.push(async () => await database.drop());
  await migrate(database.database, services);
  return database;
}

async function connected(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const database = await connectService(options);
  used.push(async () => await database.close());
  return database;
}

describe('a service of a cluster', () => {
  it('works with the rights of its role, on its own schema alone', async () => {
    const { database } = await fresh(MINE, THEIRS);
    const mine = await connected({ databaseUrl: database.roleUrl(MINE.role), service: MINE, applicationName: 'jobs' });
    const pool = mine.pool(MINE.role);
    await pool.query('insert into mine.it values (1)');
    for (const forbidden of [
      'select * from theirs.it',
      'insert into theirs.it values (1)',
      'select * from mine.migration',
      'select * from heddle.service_role',
      'delete from mine.it',
      'set role heddle_theirs',
      'create table mine.other ()',
    ]) {
      await expect(pool.query(forbidden), forbidden).rejects.toThrow(/permission denied|must be|cannot set/);
    }
    const { rows } = await pool.query<{ name: string }>(`select current_setting('application_name') as name`);
    expect(rows).toEqual([{ name: 'jobs:heddle_mine' }]);
    expect(() => mine.pool(THEIRS.role)).toThrow('connects as heddle_mine only');
    expect(await mine.probe()).toBeNull();
  });

  it('answers probes while every connection is in use, and takes the size of its pool', async () => {
    const { database } = await fresh(MINE);
    const mine = await connected({ databaseUrl: database.roleUrl(MINE.role), service: MINE, poolSize: 2 });
    for (const pool of [mine.pool(MINE.role), database.pool(MINE.role)]) {
      const size = pool === database.pool(MINE.role) ? 8 : 2;
      const clients = await Promise.all(Array.from({ length: size }, () => pool.connect()));
      const waiting = pool.query('select');
      const began = performance.now();
      expect(await Promise.all([mine.probe(), mine.probe(), database.probe(MINE.role)])).toEqual([
        null,
        null,
        undefined,
      ]);
      // A connection that was waited for would take five seconds.
      expect(performance.now() - began).toBeLessThan(2_000);
      expect(pool.waitingCount).toBe(1);
      for (const client of clients) client.release();
      await waiting;
    }
  });

  it('refuses an older schema and says which steps are missing and what to run; tolerates a newer one', async () => {
    const { database } = await fresh(MINE);
    const databaseUrl = database.roleUrl(MINE.role);
    const refusal = await connectService({ databaseUrl, service: MINE_LATER }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaTooOldError);
    expect(String(refusal)).toMatch(/missing: mine\/0002-more\. Run "heddle migrate"/);
    await migrate(database, [MINE_LATER]);
    await connected({ databaseUrl, service: MINE_LATER });
    await connected({ databaseUrl, service: MINE });
  });

  it('refuses a database without the text of its functions, and tolerates a later text that replaced its own', async () => {
    const { database } = await fresh(MINE);
    const databaseUrl = database.roleUrl(MINE.role);
    const answering = (answer: number): OfRole => {
      const sql = `create or replace function mine.answer() returns int language sql as 'select ${answer}'`;
      return { ...MINE, functions: [{ name: 'answer', sql }] };
    };
    await expect(connectService({ databaseUrl, service: answering(1) })).rejects.toThrow(
      'missing: mine/function answer.',
    );
    await migrate(database, [answering(1)]);
    await connected({ databaseUrl, service: answering(1) });
    await expect(connectService({ databaseUrl, service: answering(2) })).rejects.toThrow(
      'missing: mine/function answer.',
    );
    await migrate(database, [answering(2)]);
    await connected({ databaseUrl, service: answering(1) });
  });

  it('refuses a database that was never migrated', async () => {
    const { database, owner } = await fresh(MINE);
    await owner.query('drop schema heddle cascade; drop schema mine cascade');
    await expect(connectService({ databaseUrl: database.roleUrl(MINE.role), service: MINE })).rejects.toThrow(
      'missing: heddle/0001-clock, heddle/0002-applied-steps, heddle/0003-function-hash, heddle/0004-breaking-step, mine/0001-it',
    );
  });

  it('names the setting where waiting cannot help', async () => {
    const { database, ownerUrl } = await fresh(MINE);
    const wrongPassword = new URL(database.roleUrl(MINE.role));
    wrongPassword.password = 'wrong';
    const wrongDatabase = new URL(database.roleUrl(MINE.role));
    wrongDatabase.pathname = '/nowhere';
    const refused = async (databaseUrl: string, setting?: string): Promise<string> =>
      String(await connectService({ databaseUrl, setting, service: MINE }).catch((error: unknown) => error));
    expect(await refused(wrongPassword.href)).toMatch(/HEDDLE_DATABASE_URL.*password authentication failed.*migrate/);
    expect(await refused(wrongDatabase.href)).toMatch(/HEDDLE_DATABASE_URL.*"nowhere" does not exist/);
    expect(await refused('nonsense')).toMatch(/HEDDLE_DATABASE_URL.*expected postgres:\/\/heddle_mine/);
    expect(await refused('nonsense', 'HEDDLE_ACCOUNTS_DATABASE_URL')).toMatch(/HEDDLE_ACCOUNTS_DATABASE_URL is not/);
    const owner = await refused(ownerUrl);
    expect(owner).toMatch(/HEDDLE_DATABASE_URL names the role heddle; this service connects only as heddle_mine/);
    expect(owner).not.toContain(new URL(ownerUrl).password);
  });

  it('ends its wait when it is told to', async () => {
    const stop = new AbortController();
    const told: (string | null)[] = [];
    const connecting = connectService({
      databaseUrl: 'postgres://heddle_mine:x@127.0.0.1:1/heddle',
      service: MINE,
      signal: stop.signal,
      onWaiting: (why) => {
        told.push(why);
        stop.abort();
      },
    });
    await expect(connecting).rejects.toThrow(/abort/i);
    expect(told[0]).toMatch(/HEDDLE_DATABASE_URL is unreachable: .*ECONNREFUSED/);
  });
});

describe('a service whose database is away', () => {
  let server: PrivateServer | undefined;
  let owner: Database | undefined;

  afterEach(async () => {
    await owner?.close();
    await server?.remove();
  });

  it('waits, says so, and goes on when it comes back, at its start and later', async () => {
    server = await privateServer();
    owner = await connectDatabase({ databaseUrl: server.url() });
    await migrate(owner, [MINE]);
    const databaseUrl = owner.roleUrl(MINE.role);
    await owner.close();
    await server.kill();
    const told: (string | null)[] = [];
    const connecting = connected({ databaseUrl, service: MINE, onWaiting: (why) => told.push(why) });
    await expect.poll(() => told.length).toBeGreaterThan(1);
    expect(told[0]).toMatch(/HEDDLE_DATABASE_URL is unreachable/);
    await server.start();
    // The embedded server keeps its port from start to start.
    const database = await connecting;
    expect(told.at(-1)).toBeNull();
    await server.kill();
    // Its sessions outlive the first process for a moment.
    await expect.poll(async () => await database.probe()).toMatch(/HEDDLE_DATABASE_URL does not/);
    await server.start();
    await expect.poll(async () => await database.probe()).toBeNull();
  });
});
