import { createHash } from 'node:crypto';
import type pg from 'pg';
import { patiently } from './patiently.js';
import type { SchemaFunction, SchemaMigrations } from './schema-migrations.js';

/** Name of a function in lists of missing items, without its schema. */
export function functionNote({ name, sql }: SchemaFunction): string {
  return `function ${name}=${createHash('sha256').update(sql).digest('hex')}`;
}

/** Selects the functions of a schema with the text last applied. */
export function appliedFunctionsSql(schema: string): string {
  return `select '${schema}', 'function ' || name || '=' || hash from (
    select distinct on (name) name, hash from heddle.function_hash where schema = '${schema}' order by name, applied desc) last`;
}

/**
 * Applies the functions whose text changed. Every applied text stays recorded: by it a service knows that its function,
 * or a later version's, is present.
 */
export async function applyFunctions(
  client: pg.PoolClient,
  { schema, functions = [] }: SchemaMigrations,
  pending: readonly string[],
): Promise<void> {
  for (const one of functions.filter((each) => pending.includes(functionNote(each)))) {
    await patiently(`function ${schema}.${one.name}`, async () => await applyFunction(client, schema, one));
  }
}

async function applyFunction(client: pg.PoolClient, schema: string, one: SchemaFunction): Promise<void> {
  const [, hash] = functionNote(one).split('=');
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '1s'`);
    await client.query(one.sql);
    await client.query(
      `insert into heddle.function_hash (schema, name, hash) values ($1, $2, $3)
       on conflict (schema, name, hash) do update set applied = default`,
      [schema, one.name, hash],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
