import type { Database } from '../connect/database.js';
import { breakingSteps } from './breaking-steps.js';
import { databaseState, rowsOrMissing, stepName } from './database-state.js';
import { HEDDLE_SCHEMA } from './heddle-schema.js';
import type { SchemaMigrations } from './schema-migrations.js';

/** How a database differs from this version. */
export interface ComparedStep {
  /** `schema/step`, `schema/function name` or `role name` */
  readonly step: string;
  /** `missing`: `migrate` applies it. `ahead`: of a later version. `breaks`: of a later version, and this one cannot work with it. */
  readonly state: 'missing' | 'ahead' | 'breaks';
  /** Of `breaks`: the reason. */
  readonly why?: string;
}

/** Compares as the owner; changes nothing. Empty: the database is up to date. */
export async function compareDatabase(
  database: Database,
  services: readonly SchemaMigrations[],
): Promise<readonly ComparedStep[]> {
  const owner = database.ownerPool;
  const schemas = [HEDDLE_SCHEMA, ...services];
  const { pending, rolesToSet, unknown } = await databaseState(owner, schemas, (role) => database.rolePassword(role));
  const ever = await rowsOrMissing<{ note: string }>(
    owner,
    `select schema || '/function ' || name || '=' || hash as note from heddle.function_hash`,
  );
  const applied = new Set(ever?.map(({ note }) => note));
  const breaking = new Map((await breakingSteps(owner, schemas)).map(({ step, why }) => [step, why]));
  const later = unknown.map(stepName).map((step): ComparedStep => {
    const why = breaking.get(step);
    return why === undefined ? { step, state: 'ahead' } : { step, state: 'breaks', why };
  });
  return [
    ...rolesToSet.map((role) => ({ step: `role ${role}`, state: 'missing' }) as const),
    ...pending.map((step) => {
      // A text that was replaced was replaced by a later version.
      const state = applied.has(`${step.schema}/${step.name}`) ? 'ahead' : 'missing';
      return { step: stepName(step), state } as const;
    }),
    ...later,
  ];
}
