import { resolve } from 'node:path';
import { ExportSource, HistoryEngine } from '@heddle/jobs-history/exports';
import { ExportFolder, segmentPaths } from '@heddle/jobs-history/queries';
import { rebuildReadModel } from '@heddle/jobs';
import type { NumberedEvent } from '@heddle/platform-event-log';
import pg from 'pg';
import { query } from '../../analysis/log-database.ts';
import { EventNumbering } from '../../large-data/number-events.ts';

/** Some 290 jobs that really ran: every way to end, retries, cached nodes. */
const PATTERN = resolve(import.meta.dirname, '../../../docs/analysis/data');
/** The pattern lasts less; each copy is of a time of its own. */
const SPAN_MS = 200_000;
const WEEK_MS = 7 * 86_400_000;
const WEEKS = 4;
const COPIES_PER_STATEMENT = 20;

/** Fills a new database of the jobs service with copies of jobs that ran, numbered by the sequencer; their read model is the log's. */
export async function copyLog(url: string, events: number): Promise<void> {
  const pattern = await patternEvents();
  const client = new pg.Client(url);
  await client.connect();
  const numbering = new EventNumbering(url);
  try {
    // A superuser's session: the copies are as consistent as what they copy.
    await client.query('set synchronous_commit = off; set session_replication_role = replica');
    await keepPattern(client, pattern);
    const copies = Math.ceil(events / pattern.length);
    for (let copy = copies; copy > 0; copy -= COPIES_PER_STATEMENT)
      await client.query(COPY, [Math.max(1, copy - COPIES_PER_STATEMENT + 1), copy]);
    await numbering.finish(new AbortController().signal);
    await client.query('vacuum analyze jobs.event, jobs.event_seq');
    await rebuildReadModel(client, 'bench_first', { swap: true });
    await client.query('drop schema bench_first cascade');
    await client.query('vacuum analyze jobs.job, jobs.job_output, jobs.job_label');
  } finally {
    await numbering.stop();
    await client.end();
  }
}

/** A job of one picture after the other: its events alone, without a number, as `history show` needs no more. */
export async function insertLongJob(url: string, events: number): Promise<string> {
  const [row] = await query<{ stream_id: string }>(url, LONG_JOB, [events]);
  return row!.stream_id;
}

async function patternEvents(): Promise<readonly NumberedEvent[]> {
  const folder = new ExportFolder(PATTERN);
  const engine = await HistoryEngine.open();
  try {
    const source = new ExportSource('', engine.connection, segmentPaths(folder, await folder.manifest()));
    const events: NumberedEvent[] = [];
    for await (const batch of source.events(0n)) events.push(...batch);
    return events;
  } finally {
    engine.close();
  }
}

async function keepPattern(client: pg.Client, events: readonly NumberedEvent[]): Promise<void> {
  const weeks = Array.from({ length: WEEKS }, (_, n) => Date.parse(events[0]!.recordedAt) - n * WEEK_MS);
  await client.query('select jobs.make_event_partitions($1, $2)', [WEEK_MS, weeks]);
  await client.query(PATTERN_TABLE);
  const rows = events.map(({ data, ...event }) => ({
    ...event,
    seq: String(event.seq),
    chain: null,
    data: String(data),
  }));
  await client.query(KEEP, [JSON.stringify(rows)]);
  await client.query(`
    insert into jobs.workflow (hash, bytes)
    select distinct decode(substr(data::json->>'workflowHash', 8), 'hex'), '\\x7b7d'::bytea from pattern where type = 'JobSubmitted'`);
}

const PATTERN_TABLE = `
create temp table pattern (
  seq bigint, "eventId" uuid, "streamId" uuid, version int, type text, "schemaVersion" smallint, "accountId" uuid,
  "deploymentId" uuid, fence bigint, "workerSeq" bigint, "isTerminal" boolean, "recordedAt" timestamptz,
  "correlationId" text, "causationId" uuid, data text)`;
const KEEP = 'insert into pattern select * from json_populate_recordset(null::pattern, $1)';

/** A UUID v7 of the copy's time; all that is random in it depends on the copy. */
const idOfCopy = (id: string): string => `
  (lpad(to_hex(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint - k::bigint * ${SPAN_MS}), 12, '0') || '7'
   || substr(md5(${id}::text || k), 1, 3) || '8' || substr(md5(${id}::text || k), 4, 15))::uuid`;

const COPY = `
insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq,
                        is_terminal, recorded_at, correlation_id, causation_id, data)
select ${idOfCopy('"eventId"')}, ${idOfCopy('"streamId"')}, version, type, "schemaVersion", "accountId", "deploymentId", fence,
       "workerSeq", "isTerminal", "recordedAt" - k * interval '${SPAN_MS} ms', "correlationId",
       case when "causationId" is not null then ${idOfCopy('"causationId"')} end, convert_to(data, 'UTF8')
  from generate_series($1::int, $2::int) k cross join pattern order by k desc, seq`;

/** One job that ran a node many times: the events of a job of the log, one of them repeated. */
const LONG_JOB = `
with source as (
  select stream_id from jobs.event where type = 'JobSucceeded' order by stream_id desc limit 1),
made as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, is_terminal,
                          recorded_at, correlation_id, data)
  select gen_random_uuid(), overlay(s.stream_id::text placing 'ffff' from 20)::uuid, n, e.type, e.schema_version, e.account_id,
         e.deployment_id, e.fence, n = $1::int, e.recorded_at, e.correlation_id, e.data
    from source s cross join generate_series(1, $1::int) n
    join lateral (
      select * from jobs.event x where x.stream_id = s.stream_id
         and (n = 1 and x.type = 'JobSubmitted' or n = 2 and x.type = 'JobLeased' or n = $1 and x.type = 'JobSucceeded'
              or n > 2 and n < $1 and x.type = 'NodeFinished')
       order by x.version limit 1) e on true
  returning stream_id)
select stream_id from made limit 1`;
