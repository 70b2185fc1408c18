import { compareDatabase, connectDatabase, connectService, migrate } from '@heddle/platform-database';
import type { SchemaMigrations } from '@heddle/platform-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from './index.js';

const ROLE = 'heddle_compared';
const FIRST = { name: '0001-it', up: 'create table compared.it (id int);' };
const MORE = { name: '0002-more', up: 'create table compared.more (id int);' };
const NARROW = { name: '0003-narrow', up: 'alter table compared.it drop column id;', breaks: 'no column it.id' };
const functionOf = (value: number) => ({
  name: 'value',
  sql: `create or replace function compared.value() returns int language sql as 'select ${value}'`,
});

function version(migrations: SchemaMigrations['migrations'], value: number) {
  return { schema: 'compared', role: ROLE, migrations, functions: [functionOf(value)] } as const;
}
const OLDEST = version([FIRST], 1);
const PREVIOUS = version([FIRST, MORE], 2);
const NEWEST = version([FIRST, MORE, NARROW], 2);

describe('the comparison of a database with a version', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase();
  });
  afterAll(() => db.drop());

  it('names all that is missing, and changes nothing', async () => {
    const all = await compareDatabase(db.database, [OLDEST]);
    expect(all).toContainEqual({ step: 'compared/0001-it', state: 'missing' });
    expect(all).toContainEqual({ step: 'compared/function value', state: 'missing' });
    expect(all).toContainEqual({ step: `role ${ROLE}`, state: 'missing' });
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['missing']));
    const { rows } = await db.owner.query(`select from pg_namespace where nspname = 'compared'`);
    expect(rows).toEqual([]);
  });

  it('is empty after the migration, and tells what a later version added', async () => {
    await migrate(db.database, [OLDEST]);
    expect(await compareDatabase(db.database, [OLDEST])).toEqual([]);
    expect(await compareDatabase(db.database, [PREVIOUS])).toEqual([
      { step: 'compared/0002-more', state: 'missing' },
      { step: 'compared/function value', state: 'missing' },
    ]);
    await migrate(db.database, [PREVIOUS]);
    expect(await compareDatabase(db.database, [OLDEST])).toEqual([
      { step: 'compared/function value', state: 'ahead' },
      { step: 'compared/0002-more', state: 'ahead' },
    ]);
  });

  it('tells a step that this version cannot work with: neither its services nor its migration start', async () => {
    const databaseUrl = db.database.roleUrl(ROLE);
    const opened = await connectService({ databaseUrl, service: PREVIOUS });
    await opened.close();
    await migrate(db.database, [NEWEST]);
    expect(await compareDatabase(db.database, [NEWEST])).toEqual([]);
    expect(await compareDatabase(db.database, [PREVIOUS])).toEqual([
      { step: 'compared/0003-narrow', state: 'breaks', why: 'no column it.id' },
    ]);
    const refusal =
      /cannot work with: compared\/0003-narrow \(no column it\.id\)\. Start a version that has these steps/;
    await expect(migrate(db.database, [PREVIOUS])).rejects.toThrow(refusal);
    await expect(connectService({ databaseUrl, service: PREVIOUS })).rejects.toThrow(refusal);
    await (await connectService({ databaseUrl, service: NEWEST })).close();
  });

  it('takes the password of a role that is given, and sees when it is another', async () => {
    const given = await connectDatabase({ databaseUrl: db.ownerUrl, rolePasswords: { [ROLE]: 'p@ss:w/rd' } });
    try {
      expect(await compareDatabase(given, [NEWEST])).toEqual([{ step: `role ${ROLE}`, state: 'missing' }]);
      await migrate(given, [NEWEST]);
      expect(await compareDatabase(given, [NEWEST])).toEqual([]);
      await (await connectService({ databaseUrl: given.roleUrl(ROLE), service: NEWEST })).close();
    } finally {
      await given.close();
    }
  });
});
