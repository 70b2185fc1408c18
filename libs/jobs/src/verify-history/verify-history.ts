import { FaultList, MAX_FAULTS, verifyLog } from '@heddle/platform-event-log';
import type { LogProgress, LogReport, VerifyLogOptions } from '@heddle/platform-event-log';
import type { ClientBase, Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { compareSlice, type SliceFault } from '../rebuild-read-model/compare-slice.js';
import { allJobs, jobsSince, type JobSlice } from '../rebuild-read-model/job-slices.js';
import { queueMismatchSql } from '../rebuild-read-model/queue-check.sql.js';

interface VerifyHistoryOptions extends Omit<VerifyLogOptions, 'onProgress' | 'faults'> {
  /** False skips events and read model: only the chain is checked. */
  readonly fold?: boolean;
  /** A second connection: the jobs are compared beside the check of the chain, and not after it. */
  readonly beside?: ClientBase | null;
  readonly onProgress?: (progress: HistoryProgress) => void;
}

interface HistoryProgress extends LogProgress {
  readonly phase: 'chain' | 'read model';
}

export interface HistoryReport extends LogReport {
  /** Jobs whose rows were compared with the log; 0 if none were. */
  readonly jobs: number;
  readonly outputs: number;
  readonly readModel: 'equal' | 'differs' | 'not_checked';
}

/**
 * Checks the log of jobs (`verifyLog`), then folds it job by job and compares the read model and the queue with the
 * result, while the service runs. Many short statements; no snapshot lasts longer than about 10,000 events take.
 */
export async function verifyHistory(
  database: Pool | ClientBase,
  options: VerifyHistoryOptions = {},
): Promise<HistoryReport> {
  if (!('totalCount' in database)) return await verifyWith(database, options);
  const client = await database.connect();
  try {
    return await verifyWith(client, options);
  } finally {
    client.release();
  }
}

async function verifyWith(client: ClientBase, options: VerifyHistoryOptions): Promise<HistoryReport> {
  const { fold = true, beside = null, onProgress, signal, ...logOptions } = options;
  const faults = new FaultList();
  const checked = verifyLog(client, JOBS_SCHEMA, {
    ...logOptions,
    faults,
    ...(signal === undefined ? {} : { signal }),
    onProgress: (progress) => onProgress?.({ ...progress, phase: 'chain' }),
  });
  if (!fold) return { ...(await checked), jobs: 0, outputs: 0, readModel: 'not_checked' };
  // The jobs after a checkpoint are known only when the chain is checked.
  if (options.afterCheckpoint === true || beside === null) {
    const report = await checked;
    const { firstSeq, lastSeq } = report;
    const slices = options.afterCheckpoint === true ? jobsSince(client, firstSeq - 1n, lastSeq) : allJobs(client);
    const tell = (events: bigint): void => onProgress?.({ phase: 'read model', events, total: report.events });
    return { ...report, ...(await compareJobs(client, slices, faults, signal, tell)) };
  }
  const ofJobs = new FaultList();
  let total = null as bigint | null;
  void checked.then(
    (log) => (total = log.events),
    () => undefined,
  );
  const tell = (events: bigint): void => {
    if (total !== null) onProgress?.({ phase: 'read model', events, total });
  };
  const [report, compared] = await Promise.all([checked, compareJobs(beside, allJobs(beside), ofJobs, signal, tell)]);
  faults.addAll(ofJobs);
  return { ...report, ...compared, faults: faults.found };
}

/** Folds the jobs of the slices and compares read model and queue with them. */
async function compareJobs(
  client: ClientBase,
  slices: AsyncIterable<JobSlice>,
  faults: FaultList,
  signal: AbortSignal | undefined,
  tell: (events: bigint) => void,
): Promise<Pick<HistoryReport, 'jobs' | 'outputs' | 'readModel'>> {
  let [events, jobs, outputs] = [0n, 0, 0];
  for await (const slice of slices) {
    signal?.throwIfAborted();
    const compared = await inSnapshot(client, async () => await compareSlice(client, slice));
    for (const fault of compared.faults) {
      const { eventId, streamId, version } = fault;
      const seq = faults.found.length < MAX_FAULTS ? await seqOf(client, fault) : null;
      faults.add(fault.fault, fault.message, { seq, eventId, streamId, version });
    }
    events += BigInt(compared.events);
    jobs += compared.jobs.length;
    outputs += compared.outputs;
    tell(events);
  }
  for (const { trouble } of (await client.query<{ trouble: string }>(queueMismatchSql)).rows)
    faults.add('read_model', trouble);
  return { jobs, outputs, readModel: faults.count('read_model') > 0 ? 'differs' : 'equal' };
}

/** The number of the event that a fault names. */
async function seqOf(client: ClientBase, { eventId, streamId, version }: SliceFault): Promise<bigint | null> {
  if (eventId === null) return null;
  const { rows } = await client.query<{ seq: string }>(
    `select s.seq from ${JOBS_SCHEMA}.event e join ${JOBS_SCHEMA}.event_seq s on s.position = e.position
      where e.stream_id = $1 and e.version = $2`,
    [streamId, version],
  );
  return rows[0] === undefined ? null : BigInt(rows[0].seq);
}

/** One snapshot for the statements of a slice, and no longer. */
async function inSnapshot<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin transaction isolation level repeatable read read only');
  try {
    return await work();
  } finally {
    await client.query('rollback');
  }
}
