import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import pg from 'pg';
import { EventNumbering } from './number-events.ts';
import type { Target } from './open-target.ts';
import { writeJobs } from './write-jobs.ts';
import type { LargeDataOptions } from './write-jobs.ts';

export interface LoadReport {
  readonly jobs: number;
  readonly events: number;
  readonly seconds: number;
  readonly writtenSeconds: number;
}

export interface LoadProgress {
  readonly signal: AbortSignal;
  readonly written: (jobs: number) => void;
}

/** Writes the jobs and waits until the log has numbered their events. */
export async function loadLargeData(
  target: Target,
  options: LargeDataOptions,
  progress: LoadProgress,
): Promise<LoadReport> {
  const started = performance.now();
  const seconds = (): number => Math.round(performance.now() - started) / 1000;
  const owner = new pg.Pool({ connectionString: target.url, max: 1, application_name: 'heddle-large-data' });
  owner.on('error', () => undefined);
  const numbering = new EventNumbering(target.url);
  try {
    const before = await lastSeq(owner);
    const jobs = await writeJobs(target.url, options, progress);
    const writtenSeconds = seconds();
    const analyzed = analyze(owner, WRITTEN);
    await numbering.finish(progress.signal);
    await analyzed;
    const after = await lastSeq(owner);
    if (!target.isServed && !progress.signal.aborted) await owner.query(handledSql);
    await analyze(owner, NUMBERED);
    return { jobs, events: after - before, seconds: seconds(), writtenSeconds };
  } finally {
    await numbering.stop();
    await owner.end();
  }
}

const NUMBERED = ['jobs.event_seq'];
const WRITTEN = [
  'jobs.event',
  'jobs.job',
  'jobs.job_output',
  'jobs.queue',
  'jobs.queue_depth',
  'jobs.workflow',
  'jobs.idempotency_key',
  'assets.asset',
  'assets.blob',
  'assets.idempotency_key',
];

async function analyze(owner: pg.Pool, tables: readonly string[]): Promise<void> {
  for (const table of tables) await owner.query(`analyze ${table}`);
}

async function lastSeq(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ seq: string }>('select seq from jobs.seq_cursor where id = 1');
  return Number(rows[0]!.seq);
}

/**
 * Without a running service, marks the messages of these events as handled, because their effects are written too. Otherwise
 * the next start would first publish millions of messages.
 */
const handledSql = `
with newest as (
  select s.seq, e.event_id, e.recorded_at
  from jobs.seq_cursor c join jobs.event_seq s on s.seq = c.seq join jobs.event e on e.txid = s.txid and e.position = s.position
), relayed as (
  insert into jobs.relay_cursor as r (consumer, seq, epoch, holder, lease_until)
  select 'jobs-relay', seq, 0, '', '-infinity' from newest
  on conflict (consumer) do update set seq = greatest(r.seq, excluded.seq)
)
insert into assets.inbox_place as p (topic, seq, event_id) select '${JOB_EVENTS_TOPIC}', seq, event_id from newest
on conflict (topic) do update set seq = excluded.seq, event_id = excluded.event_id where p.seq < excluded.seq`;
