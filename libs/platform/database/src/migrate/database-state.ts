import type pg from 'pg';
import { passwordFingerprint } from '../connect/role-password.js';
import { appliedFunctionsSql, functionNote } from './schema-functions.js';
import type { SchemaMigrations } from './schema-migrations.js';

/** What a database lacks for the given schemas. */
interface DatabaseState {
  /** Steps and functions, in order. */
  readonly pending: readonly PendingStep[];
  readonly rolesToSet: readonly string[];
  /** Applied steps that these schemas do not declare: of a later version. */
  readonly unknown: readonly PendingStep[];
}

interface PendingStep {
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
/** The kind of a note about a role; schemas are the others. */
const ROLE = '@role';

/** One query if the database is up to date, as at nearly every start. */
export async function databaseState(
  owner: pg.Pool | pg.PoolClient,
  schemas: readonly SchemaMigrations[],
  passwordOf: (role: string) => string,
): Promise<DatabaseState> {
  const rows = await notesOf(owner, schemas);
  const notes = new Set(rows.map((row) => `${row.kind}/${row.name}`));
  const steps = new Set(schemas.flatMap(({ schema, migrations }) => migrations.map(({ name }) => `${schema}/${name}`)));
  const roles = schemas.flatMap(({ role }) => (role === undefined ? [] : [role]));
  return {
    pending: declaredSteps(schemas).filter(({ schema, name }) => !notes.has(`${schema}/${name}`)),
    unknown: rows
      .filter(({ kind, name }) => kind !== ROLE && !name.startsWith('function ') && !steps.has(`${kind}/${name}`))
      .map(({ kind, name }) => ({ schema: kind, name })),
    rolesToSet: roles.filter((role) => !notes.has(`${ROLE}/${role}=${passwordFingerprint(passwordOf(role))}`)),
  };
}

async function notesOf(
  owner: pg.Pool | pg.PoolClient,
  schemas: readonly SchemaMigrations[],
): Promise<readonly NoteRow[]> {
  const parts = [
    `select '${ROLE}' as kind, role || '=' || fingerprint as name from heddle.service_role`,
    ...schemas.map(({ schema }) => `select '${schema}', name from ${schema}.migration`),
    ...schemas.filter(({ functions }) => functions !== undefined).map(({ schema }) => appliedFunctionsSql(schema)),
  ];
  const all = await rowsOrMissing(owner, parts.join(' union all '));
  if (all) return all;
  const each: NoteRow[] = [];
  for (const part of parts)
    each.push(...((await rowsOrMissing(owner, `select * from (${part}) as note (kind, name)`)) ?? []));
  return each;
}

/** Undefined: a table is not there, because nothing was applied yet, or only by an older version. */
export async function rowsOrMissing<Row extends pg.QueryResultRow = NoteRow>(
  owner: pg.Pool | pg.PoolClient,
  sql: string,
  values: unknown[] = [],
): Promise<readonly Row[] | undefined> {
  try {
    return (await owner.query<Row>(sql, values)).rows;
  } catch (error) {
    if (MISSING.has((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}
