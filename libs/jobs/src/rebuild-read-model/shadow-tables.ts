import type { ClientBase, Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { READ_MODEL_TABLES } from './read-model-tables.js';
import { grantTextsSql, indexTextsSql } from './shadow-tables.sql.js';

/** The schema already exists, or its name is not allowed. */
export class RebuildSchemaError extends Error {
  override readonly name = 'RebuildSchemaError';
}

/** Marks a schema as made by a rebuild. */
const COMMENT = 'made by heddle history rebuild';
export const TABLES = READ_MODEL_TABLES.map(({ name }) => name);

/** Holds the live tables for a moment while they are exchanged. */
export const formerOf = (schema: string): string => `${schema.slice(0, 55)}_former`;

/** Makes the schema with empty copies of the tables of the read model. Only tables that go live must survive a crash. */
export async function makeShadow(
  client: ClientBase,
  schema: string,
  { goesLive }: { goesLive: boolean },
): Promise<void> {
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw new RebuildSchemaError(
      `"${schema}" is not a schema name: lower-case letters, digits and _, at most 63, not pg_`,
    );
  await refuseTaken(client, schema);
  if (goesLive) await refuseTaken(client, formerOf(schema));
  const kind = goesLive ? '' : 'unlogged';
  const tables = TABLES.map(
    (name) => `create ${kind} table ${schema}.${name} (like ${JOBS_SCHEMA}.${name} including all excluding indexes);`,
  );
  await client.query(
    `begin; create schema ${schema}; comment on schema ${schema} is '${COMMENT}'; ${tables.join(' ')} commit`,
  );
}

interface IndexOptions {
  readonly signal?: AbortSignal;
  /** Statements that are done, before the first one and after each. */
  readonly onIndexed?: (progress: { readonly steps: number; readonly total: number }) => void;
}

/** Owners, options, constraints and indexes, under the live names. */
export async function indexShadow(
  client: ClientBase,
  schema: string,
  { signal, onIndexed }: IndexOptions = {},
): Promise<void> {
  const texts = [
    ...(await statements(client, indexTextsSql, schema)),
    ...TABLES.map((name) => `analyze ${schema}.${name}`),
  ];
  for (const [steps, text] of texts.entries()) {
    signal?.throwIfAborted();
    onIndexed?.({ steps, total: texts.length });
    await client.query(text);
  }
  onIndexed?.({ steps: texts.length, total: texts.length });
}

/** Grants and triggers: the last step before the tables go live. */
export async function grantShadow(client: ClientBase, schema: string): Promise<void> {
  for (const statement of await statements(client, grantTextsSql, schema)) await client.query(statement);
}

export async function dropRebuilt(client: Pool | ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade`);
}

async function statements(client: ClientBase, sql: string, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(sql, [TABLES, schema]);
  return rows.map(({ statement }) => statement);
}

/** Advises to drop a schema only if a rebuild made it: following that advice for any other one would lose its data. */
async function refuseTaken(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1`,
    [schema],
  );
  const [taken] = rows;
  if (taken === undefined) return;
  throw new RebuildSchemaError(
    taken.comment === COMMENT
      ? `the schema ${schema} already exists; an earlier rebuild made it, and after a swap it holds the former tables: ` +
          'name another schema, or drop this one if you no longer need them'
      : `the schema ${schema} already exists, and no rebuild made it: name another one`,
  );
}
