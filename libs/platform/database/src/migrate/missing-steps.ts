import type pg from 'pg';
import { declaredSteps, stepName } from './database-state.js';
import { HEDDLE_SCHEMA } from './heddle-schema.js';
import type { SchemaMigrations } from './schema-migrations.js';

/** No such schema, function or table: nothing was applied yet, or only by an older version. */
const NEVER_APPLIED = new Set(['3F000', '42883', '42P01']);

/**
 * Steps and functions, as `schema/step`, that the database lacks for a service; queried as the service's role. Unknown
 * newer steps, and functions replaced by a later version, are tolerated.
 */
export async function missingSteps(pool: pg.Pool, service: SchemaMigrations): Promise<readonly string[]> {
  const schemas = [HEDDLE_SCHEMA, service];
  const applied = new Set([...(await appliedSteps(pool, schemas)), ...(await appliedFunctions(pool, service))]);
  return declaredSteps(schemas)
    .filter(({ schema, name }) => !applied.has(`${schema}/${name}`))
    .map(stepName);
}

async function appliedSteps(pool: pg.Pool, schemas: readonly SchemaMigrations[]): Promise<readonly string[]> {
  return await textsOrNone(pool, 'select step as text from heddle.applied_steps($1::text[]) as step', [
    schemas.map(({ schema }) => schema),
  ]);
}

/** Every text ever applied: a text that was replaced was replaced by a later version. */
async function appliedFunctions(pool: pg.Pool, service: SchemaMigrations): Promise<readonly string[]> {
  if (service.functions === undefined) return [];
  const sql = `select schema || '/function ' || name || '=' || hash as text from heddle.function_hash where schema = $1`;
  return await textsOrNone(pool, sql, [service.schema]);
}

async function textsOrNone(pool: pg.Pool, sql: string, values: readonly unknown[]): Promise<readonly string[]> {
  try {
    const { rows } = await pool.query<{ text: string }>(sql, [...values]);
    return rows.map(({ text }) => text);
  } catch (error) {
    if (NEVER_APPLIED.has((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
