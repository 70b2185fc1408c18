import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { COLUMN_LIST, EXPORT_COLUMNS, PAYLOAD_NAMES, withPayloadColumns } from '../read-export/event-columns.js';
import { parquet } from '../read-export/export-source.js';
import { literal } from '../read-export/sql-literal.js';
import { namesIn } from './named-parts.js';
import { ALL_ENDED, OPEN_JOBS, RELATIONS } from './relations.sql.js';

/** The first segment of a log that has not aged: it holds the submission of every job. */
const FIRST_PART = /^part-0+1-/;

const NAMES: ReadonlySet<string> = new Set(['events', ...RELATIONS.map(({ name }) => name)]);

/** Makes the relations of a SELECT, with the columns that it names. */
export async function makeViews(connection: DuckDBConnection, files: readonly string[], sql: string): Promise<void> {
  const names = await namesIn(connection, sql, NAMES);
  // Not beside files: the engine looks for the ids of a join in files alone, not in a union.
  if (files.length === 0) await connection.run(`create table events (${EXPORT_COLUMNS})`);
  else await connection.run(`create view events as ${await eventsSql(connection, files)}`);
  const isWhole = files.some((file) => FIRST_PART.test(basename(file)));
  const wanted = names === null ? null : new Set(names);
  for (const { name, uses } of [...RELATIONS].reverse())
    if (wanted?.has(name)) for (const word of uses) wanted.add(word);
  const isWanted = (name: string): boolean => wanted?.has(name) ?? true;
  const needsOpen = isWanted('jobs') && (isWanted('status') || isWanted('attempts'));
  if (needsOpen) await findOpenJobs(connection, isWhole);
  for (const { name, sql } of RELATIONS)
    if (isWanted(name)) await connection.run(`create view ${name} as ${sql(isWanted, isWhole)}`);
}

/** Once for a question, and before it: two joins of all jobs at a time take twice the memory. */
async function findOpenJobs(connection: DuckDBConnection, isWhole: boolean): Promise<void> {
  const [[areEnded]] = (await connection.runAndReadAll(ALL_ENDED)).getRows() as [[boolean]];
  await connection.run(`create temp table open_jobs as ${OPEN_JOBS} ${isWhole && areEnded ? 'limit 0' : ''}`);
}

/**
 * Files are read together if they have the same columns: to compare the columns of all files takes longer than most
 * questions. Earlier files have no fields of the payload, and those of a newer build may have more columns.
 */
async function eventsSql(connection: DuckDBConnection, files: readonly string[]): Promise<string> {
  // The files of a segment were written by one build, and bear its numbers.
  const segments = Map.groupBy(files, (file) => basename(file));
  const alike = new Map<string, string[]>();
  for (const [first, ...others] of segments.values()) {
    const columns = await columnsOf(connection, first!);
    alike.set(columns, [...(alike.get(columns) ?? []), first!, ...others]);
  }
  const stored = [...alike].map(([columns, some]) => {
    const from = `from ${parquet(some)}`;
    const names = columns.split(' ');
    return PAYLOAD_NAMES.every((name) => names.includes(name))
      ? `select * ${from}`
      : withPayloadColumns(`${COLUMN_LIST}, exported_at`, from);
  });
  return stored.join(' union all by name ');
}

async function columnsOf(connection: DuckDBConnection, file: string): Promise<string> {
  const reader = await connection.runAndReadAll(
    `select string_agg(name, ' ' order by column_id) from parquet_schema(${literal(file)}) where name <> 'duckdb_schema'`,
  );
  return String(reader.getRows()[0]?.[0]);
}
