import type pg from 'pg';
import type { Database } from '../connect/database.js';
import { applySteps } from './apply-steps.js';
import { refuseNewerSchema } from './breaking-steps.js';
import { databaseState, stepName } from './database-state.js';
import { HEDDLE_SCHEMA } from './heddle-schema.js';
import { takeMigrationLock } from './migration-lock.js';
import { applyFunctions } from './schema-functions.js';
import { SchemaTooOldError, type SchemaMigrations } from './schema-migrations.js';
import { setServiceRoles } from './service-roles.js';

interface MigrateOptions {
  /** False: a database that lacks a step is refused with `SchemaTooOldError` instead of migrated. Default true. */
  readonly allow?: boolean;
}

const NAME = /^[a-z][a-z0-9_]{0,40}$/;

/**
 * Updates schemas, functions and service roles; unknown newer steps are tolerated. Returns what was applied, as
 * `schema/step` and `schema/function name`. @throws SchemaTooNewError before anything is changed
 */
export async function migrate(
  database: Database,
  services: readonly SchemaMigrations[],
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const schemas = [HEDDLE_SCHEMA, ...services];
  for (const { schema, role } of schemas) {
    if (!NAME.test(schema) || (role !== undefined && !NAME.test(role)))
      throw new RangeError(`Not a schema or role name: ${schema} ${role}`);
  }
  await refuseNewerSchema(database.ownerPool, schemas);
  const passwordOf = (role: string): string => database.rolePassword(role);
  const found = await databaseState(database.ownerPool, schemas, passwordOf);
  if (found.pending.length === 0 && found.rolesToSet.length === 0) return [];
  if (options.allow === false && found.pending.length > 0) throw new SchemaTooOldError(found.pending.map(stepName));

  const client = await database.ownerPool.connect();
  try {
    await takeMigrationLock(client);
    const { pending, rolesToSet } = await databaseState(client, schemas, passwordOf);
    if (rolesToSet.length > 0) await setServiceRoles(database, client, rolesToSet);
    for (const service of schemas) {
      const wanted = pending.filter(({ schema }) => schema === service.schema).map(({ name }) => name);
      if (wanted.length === 0) continue;
      await client.query(`create schema if not exists ${service.schema}`);
      if (service.role !== undefined) await client.query(`grant usage on schema ${service.schema} to ${service.role}`);
      const steps = service.migrations.map(({ name }) => name).filter((name) => wanted.includes(name));
      await noteBreaking(client, service, steps);
      if (steps.length > 0) await applySteps(database.ownerUrl, service, steps);
      await applyFunctions(client, service, wanted);
    }
    return pending.map(stepName);
  } finally {
    // Closing the session releases the lock, also after an error.
    client.release(true);
  }
}

/** Before the steps: after an interrupted run, an older version is refused rather than broken. */
async function noteBreaking(
  client: pg.PoolClient,
  { schema, migrations }: SchemaMigrations,
  steps: readonly string[],
): Promise<void> {
  for (const { name, breaks } of migrations) {
    if (breaks === undefined || !steps.includes(name)) continue;
    await client.query(
      'insert into heddle.breaking_step (schema, name, why) values ($1, $2, $3) on conflict do nothing',
      [schema, name, breaks],
    );
  }
}
