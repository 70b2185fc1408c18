import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import { dropConsistent, leased, openDatabase, openJobs, someAccount, submitted } from '../open-jobs.spec-runner.js';
import type { OpenJobs } from '../open-jobs.spec-runner.js';
import { strayQueueSql } from './queue-check.sql.js';

// Nothing refuses such a row when it is written, so the check has to find each of them (docs/decisions/0017).
describe('the check of the queue and the read model', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let waiting: string;
  let running: string;
  let canceling: string;

  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, {});
    const me = someAccount();
    await submitted(one, me);
    const first = await leased(one, me);
    await submitted(one, me);
    const second = await leased(one, me);
    await one.jobs.cancel(me, second.jobId);
    const { id } = await submitted(one, me);
    [waiting, running, canceling] = [id, first.jobId, second.jobId];
    // From here on nothing moves but what a test moves.
    await one.close();
  });
  afterAll(async () => {
    await dropConsistent(db);
  });

  /** What the check says where one row of one job has been changed. */
  const troubles = async (change: string, job: string): Promise<string[]> => {
    const client = await db.owner.connect();
    try {
      await client.query('begin');
      expect((await client.query(change, [job])).rowCount).toBe(1);
      return (await client.query<{ trouble: string }>(strayQueueSql)).rows.map(({ trouble }) => trouble);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  it('finds nothing in rows that a service has written', async () => {
    const { rows } = await db.owner.query(strayQueueSql);
    expect(rows).toEqual([]);
    const { rows: states } = await db.owner.query<{ state: string }>('select state from jobs.queue order by state');
    expect(states.map(({ state }) => state)).toEqual(['canceling', 'leased', 'queued']);
  });

  it.each([
    ['a waiting job that has ended', 'completed_at = now()', () => waiting],
    ['a waiting job with an error', `error = '{}'`, () => waiting],
    ['a running job that never started', 'started_at = null', () => running],
    ['a running job that has ended', 'completed_at = now()', () => running],
    ['a running job that nobody leased', 'fence = 0', () => running],
    ['a job without a version', 'version = 0', () => running],
    ['an end without its time', `status = 'succeeded'`, () => running],
    ['a success with an error', `status = 'succeeded', completed_at = now(), error = '{}'`, () => running],
    ['a failure without an error', `status = 'failed', completed_at = now()`, () => running],
    ['a state that there is not', `status = 'lost'`, () => running],
  ])('finds %s', async (_, set, job) => {
    const found = await troubles(`update jobs.job set ${set} where id = $1`, job());
    expect(found).toContain(`the row of job ${job()} contradicts itself`);
  });

  it.each([
    ['a waiting row without a deadline', 'queue_deadline = null', () => waiting],
    ['a waiting row of a worker', `worker_id = 'worker-a'`, () => waiting],
    ['a waiting row with a lease', 'lease_until = now()', () => waiting],
    ['a leased row without a worker', 'worker_id = null', () => running],
    ['a leased row without an end of its lease', 'lease_until = null', () => running],
    ['a leased row whose attempt never ends', 'attempt_deadline = null', () => running],
    ['a leased row that waits', 'queue_deadline = now()', () => running],
    ['a leased row that is canceled', 'cancel_deadline = now()', () => running],
    ['a leased row that was never leased', 'fence = 0', () => running],
    ['a canceled row that is never given up', 'cancel_deadline = null', () => canceling],
    ['a canceled row that waits', 'queue_deadline = now()', () => canceling],
    ['a row without a version', 'version = 0', () => waiting],
    ['a state that there is not', `state = 'lost'`, () => running],
  ])('finds %s in the queue', async (_, set, job) => {
    const found = await troubles(`update jobs.queue set ${set} where job_id = $1`, job());
    expect(found).toContain(`the queue row of job ${job()} contradicts itself`);
  });

  it('finds a job that is not in the queue, and one that is there alone', async () => {
    expect(await troubles('delete from jobs.queue where job_id = $1', waiting)).toContain(
      `job ${waiting} is queued and its queue row absent`,
    );
    const [alone] = (await troubles('delete from jobs.job where id = $1', running)).filter((line) =>
      line.startsWith('job '),
    );
    expect(alone).toMatch(new RegExp(`^job ${running} is absent and its queue row leased at version`));
  });
});
