import { copyRows } from '@heddle/platform-database';
import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { StreamFold, streamsSql, type FoldedStream } from './fold-streams.js';
import { insertJobs } from './insert-jobs.js';
import { listed } from './job-slices.js';
import { READ_MODEL_TABLES } from './read-model-tables.js';
import type { JobRows } from './read-model-tables.js';
import { changedSql, oldestOpenSql } from './shadow-tables.sql.js';

/** Events per page: bounds the ids in memory. */
const PAGE = 5_000;

/** The place behind which a later look finds every change that this moment does not show. */
export async function changesFrom(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ xmin: string }>(oldestOpenSql);
  return rows[0]!.xmin;
}

/**
 * Folds the jobs again that have an event of the transaction `since` or a later one, and returns how many. `apart`: each
 * slice has its own transaction; otherwise the caller's holds the tables.
 */
export async function foldChanged(
  client: ClientBase,
  schema: string,
  since: string,
  { apart, signal }: { readonly apart: boolean; readonly signal?: AbortSignal },
): Promise<number> {
  let place: readonly [string, string] = [since, '0'];
  for (let jobs = 0; ;) {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ txid: string; position: string; stream_id: string }>(changedSql, [
      ...place,
      PAGE,
    ]);
    const ids = [...new Set(rows.map(({ stream_id }) => stream_id))];
    for (const slice of listed(ids)) {
      if (apart) await client.query('begin transaction isolation level repeatable read');
      try {
        await foldAgain(client, schema, slice);
        if (apart) await client.query('commit');
      } catch (error) {
        if (apart) await client.query('rollback').catch(() => undefined);
        throw error;
      }
    }
    jobs += ids.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return jobs;
    place = [last.txid, last.position];
  }
}

async function foldAgain(client: ClientBase, schema: string, slice: (column: string) => string): Promise<void> {
  const [jobs, unknown]: [JobRows[], string[]] = [[], []];
  const folded = (stream: FoldedStream): void => {
    if (stream.is === 'visible') jobs.push(stream.rows);
    else if (stream.is === 'unknown') unknown.push(stream.jobId);
  };
  // Faults of the log were told when the job was compared.
  const fold = new StreamFold({ folded, fault: () => undefined });
  await copyRows(client, streamsSql(slice), (row) => fold.take(row));
  fold.end();
  for (const { name, columns } of READ_MODEL_TABLES)
    await client.query(`delete from ${schema}.${name} where ${slice(columns[0]![0])}`);
  await insertJobs(client, schema, jobs);
  await copyJobs(client, schema, unknown);
}

/** Of a job with an event that this build cannot fold, the live rows are all that is known. */
export async function copyJobs(client: ClientBase, schema: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const { name, columns } of READ_MODEL_TABLES)
    await client.query(
      `insert into ${schema}.${name} select * from ${JOBS_SCHEMA}.${name} where ${columns[0]![0]} = any($1::uuid[])`,
      [ids],
    );
}
