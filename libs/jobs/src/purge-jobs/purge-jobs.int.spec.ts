import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  codeOf,
  leased,
  dropConsistent,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { verifyHistory } from '../verify-history/verify-history.js';
import { JobPurger } from './job-purger.js';

const RETENTION_MS = 1_000_000;

describe('retention', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    // Not the service's own rounds: the tests run each round themselves.
    one = await openJobs(db, { retentionMs: RETENTION_MS, leaseMs: 100_000_000, maxRuntimeMs: 100_000_000 });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  afterEach(async () => {
    expect((await verifyHistory(db.pool('heddle_jobs'))).faults).toEqual([]);
  });

  const types = async (jobId: string): Promise<readonly string[]> => {
    const text = 'select type from jobs.event where stream_id = $1 order by version';
    return (await db.owner.query<{ type: string }>(text, [jobId])).rows.map((row) => row.type);
  };
  const rowsOf = async (jobId: string): Promise<number> => {
    const text = `select (select count(*) from jobs.job where id = $1) + (select count(*) from jobs.job_output where job_id = $1)
                       + (select count(*) from jobs.queue where job_id = $1) as n`;
    return Number((await db.owner.query<{ n: string }>(text, [jobId])).rows[0]!.n);
  };
  const workflows = async (): Promise<number> =>
    (await db.owner.query<{ n: number }>('select count(*)::int as n from jobs.workflow')).rows[0]!.n;

  it('hides a job everywhere from its last instant on, though no purger ran', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await db.advanceClock(RETENTION_MS - 60_000);
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('queued');
    await db.advanceClock(60_000);
    const query = { statuses: [], limit: 10, cursor: null, idempotencyKey: null, metadata: {} };
    expect([
      codeOf(await one.jobs.get(me, id)),
      codeOf(await one.jobs.workflow(me, id)),
      codeOf(await one.jobs.cancel(me, id)),
      valueOf(await one.jobs.list(me, query)).jobs.length,
    ]).toEqual(['not_found', 'not_found', 'not_found', 0]);
  });

  it('frees rows, outputs and, with its last job, the workflow; the events stay', async () => {
    const me = someAccount();
    await one.get(JobPurger).run();
    const before = await workflows();
    const workflow = Buffer.from(`{"${newUuid()}":{}}`);
    const done = await submitted(one, me, { workflow });
    const lease = await leased(one, me);
    const output = { kind: 'output_committed', output: outputOf('9/0/0') } as const;
    await one.leases.ingest([reportOf(lease, 1, output), reportOf(lease, 2, succeeded)]);
    const waiting = await submitted(one, me, { workflow });
    await db.advanceClock(RETENTION_MS / 2);
    const younger = await submitted(one, me, { workflow });
    await db.advanceClock(RETENTION_MS / 2);
    await one.get(JobPurger).run();
    expect(await types(done.id)).toEqual(['JobSubmitted', 'JobLeased', 'OutputCommitted', 'JobSucceeded', 'JobPurged']);
    expect(await types(waiting.id)).toEqual(['JobSubmitted', 'JobExpired', 'JobPurged']);
    expect([await rowsOf(done.id), await rowsOf(waiting.id), await workflows()]).toEqual([0, 0, before + 1]);
    expect(valueOf(await one.jobs.workflow(me, younger.id))).toEqual(workflow);
    await db.advanceClock(RETENTION_MS);
    await one.get(JobPurger).run();
    expect(await workflows()).toBe(before);
  });

  it('keeps the status and the trace of a purged job in the envelope of its last event', async () => {
    const me = someAccount();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { id } = await submitted(one, me, { traceparent });
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 1, succeeded)]);
    await db.advanceClock(RETENTION_MS);
    await one.get(JobPurger).run();
    const last = 'select type, status, traceparent from jobs.event where stream_id = $1 order by version desc limit 1';
    expect((await db.owner.query(last, [id])).rows).toEqual([{ type: 'JobPurged', status: 'succeeded', traceparent }]);
  });

  it('leaves the proof that a job has ended, for who missed its end', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await db.advanceClock(RETENTION_MS);
    await one.get(JobPurger).run();
    expect(await rowsOf(id)).toBe(0);
    expect(await one.get(JobHoldingsReader).endedOf([id, newUuid() as JobId])).toEqual([id]);
  });

  it('waits for the end of a job that still runs', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    await db.advanceClock(RETENTION_MS);
    await one.get(JobPurger).run();
    expect(codeOf(await one.jobs.get(me, id))).toBe('not_found');
    expect(await types(id)).toEqual(['JobSubmitted', 'JobLeased']);
    await one.leases.ingest([reportOf(lease, 1, succeeded)]);
    await one.get(JobPurger).run();
    expect(await types(id)).toEqual(['JobSubmitted', 'JobLeased', 'JobSucceeded', 'JobPurged']);
  });

  it('never takes the bytes from a submission that comes meanwhile', async () => {
    const me = someAccount();
    const workflow = Buffer.from('{"shared":{}}');
    for (let round = 0; round < 15; round++) {
      await submitted(one, me, { workflow });
      await db.advanceClock(RETENTION_MS);
      const [, ...jobs] = await Promise.all([
        one.get(JobPurger).run(),
        ...Array.from({ length: 4 }, async () => await submitted(one, me, { workflow })),
      ]);
      for (const { id } of jobs) expect(valueOf(await one.jobs.workflow(me, id))).toEqual(workflow);
    }
  });

  it('is done by the service itself, and by several at once', async () => {
    const quick = { retentionMs: 40, sweepIntervalMs: 20 };
    const several = await Promise.all([openJobs(db, quick), openJobs(db, quick)]);
    const me = someAccount();
    const { id } = await submitted(several[0]!, me);
    await until(async () => (await types(id)).at(-1) === 'JobPurged', 'the purge');
    expect(await types(id)).toEqual(['JobSubmitted', 'JobExpired', 'JobPurged']);
    await Promise.all(several.map(async (other) => await other.close()));
  });

  it('drops keys that ran out', async () => {
    const me = someAccount();
    await submitted(one, me, { idempotencyKey: newUuid() });
    await db.advanceClock(86_400_000);
    await one.get(JobPurger).run();
    const { rowCount } = await db.owner.query('select from jobs.idempotency_key');
    expect(rowCount).toBe(0);
  });
});
