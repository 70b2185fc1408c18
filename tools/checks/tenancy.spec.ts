import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { tenancy } from './tenancy.ts';

const root = mkdtempSync(join(tmpdir(), 'heddle-tenancy-'));
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const TABLES = `export const tablesSql = \`
create table box.letter (
  id uuid primary key,
  account_id uuid not null
);
create table box.stamp (
  id uuid primary key
);
\`;`;

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the check of SQL texts', () => {
  it.each([
    ['a read', 'select id from box.letter where id = $1'],
    ['a join', 'select s.id from box.stamp s join box.letter l using (id)'],
    ['a change', 'update box.letter set id = $1'],
    ['a deletion', 'delete from box.letter where id = $1'],
    ['an insertion', 'insert into box.letter (id) values ($1)'],
    ['a function', 'create or replace function box.f() as $$ select from box.letter $$'],
  ])('finds %s that names no account', (_, sql) => {
    write({
      'libs/box/src/tables.ts': TABLES,
      'libs/box/src/read.sql.ts': `export const READ = { text: \`${sql}\` };`,
    });
    expect(tenancy(root, [])).toEqual([
      'libs/box/src/read.sql.ts#READ reads or changes rows of accounts and names no account: add it, or list why not',
    ]);
    expect(tenancy(root, [{ reason: 'a reason', places: ['libs/box/src/read.sql.ts#READ'] }])).toEqual([]);
  });

  it('passes texts that name the account, other tables, steps of the schema and test support', () => {
    write({
      'libs/box/src/tables.ts': TABLES,
      'libs/box/src/read.sql.ts': "const READ = 'select id from box.letter where id = $1 and account_id = $2';",
      'libs/box/src/stamps.sql.ts': "const STAMPS = 'select id from box.stamp';",
      'libs/box/src/step.ts': 'const step = `alter table box.letter add x int; update box.letter set x = 1`;',
      'libs/box/src/box.int.spec.ts': "const all = 'select id from box.letter';",
    });
    expect(tenancy(root, [])).toEqual([]);
  });

  it('refuses an entry of the list that no text needs, and finds nothing where it reads nothing', () => {
    write({ 'libs/box/src/tables.ts': TABLES });
    expect(tenancy(root, [{ reason: 'a reason', places: ['libs/box/src/gone.ts#GONE'] }])).toEqual([
      'libs/box/src/gone.ts#GONE is on the list of texts without an account, and needs it no more',
    ]);
    rmSync(root, { recursive: true });
    expect(tenancy(root, [])).toEqual(['no table with an account was found: the check reads nothing']);
  });

  it.each([
    ['libs/logs/src/read-log/read-log.sql.ts', 'libs/logs/src/logs-schema/log-tables.ts'],
    ['libs/assets/src/assets-database/asset-reads.ts', 'libs/assets/src/assets-schema/asset-tables.ts'],
  ])('catches the statements of %s without their account', (path, tables) => {
    const text = readFileSync(join(REPOSITORY, path), 'utf8');
    write({ [tables]: readFileSync(join(REPOSITORY, tables), 'utf8'), [path]: text });
    expect(tenancy(root, [])).toEqual([]);
    write({ [path]: text.replaceAll(/(\w+\.)?account_id/g, 'other') });
    expect(tenancy(root, [])[0]).toContain(path);
  });
});
