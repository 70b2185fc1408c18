import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { migrate } from '@heddle/platform-database';
import type { TransactionalStep } from '@heddle/platform-database';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCHEMAS } from '../connect/prepare-cluster.js';
import { catalogSql } from './catalog.fixture.js';

/** The SQL of commit 18464f9, as it ran. */
interface OldSchema {
  readonly schema: string;
  readonly role?: string;
  readonly migrations: readonly TransactionalStep[];
}
const OLD = jsonOf('schema-18464f9.json') as readonly OldSchema[];
const RELEASED = jsonOf('released-steps.json') as Readonly<Record<string, string>>;
const SCHEMAS = ALL_SCHEMAS;

function jsonOf(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}

const used: TestDatabase[] = [];
afterEach(async () => {
  for (const one of used.splice(0)) await one.drop();
});

async function empty(): Promise<TestDatabase> {
  // The roles belong to the server; this gives them the passwords of this owner, as the old build did too.
  const db = await freshDatabase({ migrations: SCHEMAS.map((one) => ({ ...one, migrations: [], functions: [] })) });
  used.push(db);
  return db;
}

/** A database as created by 18464f9: all steps of a schema in one transaction, with MikroORM's records. */
async function madeBy18464f9(): Promise<TestDatabase> {
  const db = await empty();
  await db.owner.query('drop schema heddle cascade; drop schema if exists jobs, assets, logs, deployments cascade');
  await db.owner.query(`
    create schema heddle;
    create table heddle.service_role (role text primary key, fingerprint text not null)`);
  for (const { schema, role, migrations } of OLD) {
    await db.owner.query(`
      create schema if not exists ${schema};
      ${role === undefined ? '' : `grant usage on schema ${schema} to ${role};`}
      create table ${schema}.migration (
        id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6));
      ${migrations.map(({ up }) => up).join(';\n')};
      insert into ${schema}.migration (name) select unnest('{${migrations.map(({ name }) => name).join(',')}}'::text[])`);
  }
  return db;
}

async function catalogOf(db: TestDatabase): Promise<readonly string[]> {
  const { rows } = await db.owner.query<{ line: string }>(catalogSql, [['heddle', 'jobs', 'assets', 'logs']]);
  return rows.map(({ line }) => line);
}

describe('a database of commit 18464f9', () => {
  it('was made by the text that is frozen', () => {
    const texts = OLD.flatMap(({ schema, migrations }) =>
      migrations.map((step) => [`${schema}/${step.name}`, step.up]),
    );
    expect(texts.length).toBe(15);
    for (const [step, text] of texts) {
      expect(createHash('sha256').update(text!).digest('hex'), step).toBe(RELEASED[step!]);
    }
  });

  it('ends with the schema of a fresh one when it is migrated', async () => {
    const [fresh, old] = [await empty(), await madeBy18464f9()];
    await migrate(fresh.database, SCHEMAS);
    const applied = await migrate(old.database, SCHEMAS);
    expect(applied).toContain('heddle/0003-function-hash');
    expect(applied).not.toContain('jobs/0001-event-log');
    const [wanted, found] = [await catalogOf(fresh), await catalogOf(old)];
    expect(wanted.length).toBeGreaterThan(300);
    expect(found).toEqual(wanted);
  });
});
