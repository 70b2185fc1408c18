import type pg from 'pg';
import { HEDDLE_SCHEMA } from './heddle-schema.js';
import type { SchemaMigrations } from './schema-migrations.js';

/** No such schema, no such function: nothing was ever applied, or by a version that had no such function. */
const NEVER_APPLIED = new Set(['3F000', '42883']);

/**
 * Steps, as `schema/step`, that the database lacks for a service; asked by the service's own role. Steps that it has and
 * this version does not know are tolerated.
 */
export async function missingSteps(pool: pg.Pool, service: SchemaMigrations): Promise<readonly string[]> {
  const schemas = [HEDDLE_SCHEMA, service];
  const applied = new Set(await appliedSteps(pool, schemas));
  return schemas
    .flatMap(({ schema, migrations }) => migrations.map(({ name }) => `${schema}/${name}`))
    .filter((step) => !applied.has(step));
}

async function appliedSteps(pool: pg.Pool, schemas: readonly SchemaMigrations[]): Promise<readonly string[]> {
  try {
    const { rows } = await pool.query<{ step: string }>('select step from heddle.applied_steps($1::text[]) as step', [
      schemas.map(({ schema }) => schema),
    ]);
    return rows.map(({ step }) => step);
  } catch (error) {
    if (NEVER_APPLIED.has((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
