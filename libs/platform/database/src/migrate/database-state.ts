import type pg from 'pg';
import { passwordFingerprint } from '../connect/role-password.js';
import type { SchemaMigrations } from './schema-migrations.js';

/** What is still missing in a database for the given schemas. */
export interface DatabaseState {
  /** As `schema/step`, in order. */
  readonly pending: readonly string[];
  readonly rolesToSet: readonly string[];
}

interface NoteRow {
  readonly kind: string;
  readonly name: string;
}

const MISSING = new Set(['42P01', '3F000']);

/** One query where the database is up to date, which is what nearly every start meets. */
export async function databaseState(
  owner: pg.Pool | pg.PoolClient,
  schemas: readonly SchemaMigrations[],
  passwordOf: (role: string) => string,
): Promise<DatabaseState> {
  const notes = new Set((await notesOf(owner, schemas)).map((row) => `${row.kind}/${row.name}`));
  const roles = schemas.flatMap(({ role }) => (role === undefined ? [] : [role]));
  return {
    pending: schemas.flatMap(({ schema, migrations }) =>
      migrations.map(({ name }) => `${schema}/${name}`).filter((step) => !notes.has(step)),
    ),
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
