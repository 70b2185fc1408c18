import type { Database } from '../connect/database.js';
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

interface BreakingStep {
  /** `schema/step` */
  readonly step: string;
  readonly why: string;
}

/** Applied steps that this version does not know and cannot work with. */
export async function breakingSteps(
  pool: Parameters<typeof rowsOrMissing>[0],
  schemas: readonly SchemaMigrations[],
): Promise<readonly BreakingStep[]> {
  const known = new Set(schemas.flatMap(({ schema, migrations }) => migrations.map(({ name }) => `${schema}/${name}`)));
  const sql = `select schema || '/' || name as step, why from heddle.breaking_step where schema = any($1)`;
  const rows = await rowsOrMissing<BreakingStep>(pool, sql, [schemas.map(({ schema }) => schema)]);
  return rows?.filter(({ step }) => !known.has(step)) ?? [];
}

/** @throws SchemaTooNewError if a later version has applied a step that this one cannot work with */
export async function refuseNewerSchema(...found: Parameters<typeof breakingSteps>): Promise<void> {
  const breaking = await breakingSteps(...found);
  if (breaking.length > 0) throw new SchemaTooNewError(breaking);
}

/** The database has steps of a later version that this version cannot work with. */
export class SchemaTooNewError extends Error {
  constructor(readonly breaking: readonly BreakingStep[]) {
    const steps = breaking.map(({ step, why }) => `${step} (${why})`).join(', ');
    super(
      `A later version of Heddle has changed the database's schema, and this version cannot work with: ${steps}. ` +
        'Start a version that has these steps, or restore the database to a time before them.',
    );
    this.name = 'SchemaTooNewError';
  }
}
