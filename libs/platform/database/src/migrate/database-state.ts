import type pg from 'pg';
import { passwordFingerprint } from '../connect/role-password.js';
import { appliedFunctionsSql, functionNote } from './schema-functions.js';
import type { SchemaMigrations } from './schema-migrations.js';

/** What a database lacks for the given schemas. */
export interface DatabaseState {
  /** Steps and functions, in order. */
  readonly pending: readonly PendingStep[];
  readonly rolesToSet: readonly string[];
}

export interface PendingStep {
  readonly schema: string;
  /** A step's name, or a function's from `functionNote`. */
  readonly name: string;
}

/** For people: `schema/step` or `schema/function name`. */
export function stepName({ schema, name }: PendingStep): string {
  return `${schema}/${name.replace(/=.*/, '')}`;
}

/** Everything that these schemas declare, in order of application. */
export function declaredSteps(schemas: readonly SchemaMigrations[]): readonly PendingStep[] {
  return schemas.flatMap(({ schema, migrations, functions = [] }) =>
    [...migrations.map(({ name }) => name), ...functions.map(functionNote)].map((name) => ({ schema, name })),
  );
}

interface NoteRow {
  readonly kind: string;
  readonly name: string;
}

const MISSING = new Set(['42P01', '3F000']);

/** One query if the database is up to date, as at nearly every start. */
export async function databaseState(
  owner: pg.Pool | pg.PoolClient,
  schemas: readonly SchemaMigrations[],
  passwordOf: (role: string) => string,
): Promise<DatabaseState> {
  const notes = new Set((await notesOf(owner, schemas)).map((row) => `${row.kind}/${row.name}`));
  const roles = schemas.flatMap(({ role }) => (role === undefined ? [] : [role]));
  return {
    pending: declaredSteps(schemas).filter(({ schema, name }) => !notes.has(`${schema}/${name}`)),
    rolesToSet: roles.filter((role) => !notes.has(`@role/${role}=${passwordFingerprint(passwordOf(role))}`)),
  };
}

async function notesOf(
  owner: pg.Pool | pg.PoolClient,
  schemas: readonly SchemaMigrations[],
): Promise<readonly NoteRow[]> {
  const parts = [
    `select '@role' as kind, role || '=' || fingerprint as name from heddle.service_role`,
    ...schemas.map(({ schema }) => `select '${schema}', name from ${schema}.migration`),
    ...schemas.filter(({ functions }) => functions !== undefined).map(({ schema }) => appliedFunctionsSql(schema)),
  ];
  const all = await rowsOrMissing(owner, parts.join(' union all '));
  if (all) return all;
  const each: NoteRow[] = [];
  for (const part of parts)
    each.push(...((await rowsOrMissing(owner, part.replace(/^select ('\w+'),/, 'select $1 as kind,'))) ?? []));
  return each;
}

async function rowsOrMissing(owner: pg.Pool | pg.PoolClient, sql: string): Promise<readonly NoteRow[] | undefined> {
  try {
    return (await owner.query<NoteRow>(sql)).rows;
  } catch (error) {
    if (MISSING.has((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}
