import { rowsOrMissing } from './database-state.js';
import type { SchemaMigrations } from './schema-migrations.js';

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
