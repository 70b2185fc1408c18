import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
} from '../jobs-under-test/open-jobs.fixture.js';

const COPIED = `stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq, correlation_id, data`;

describe('the constraints of the jobs schema', () => {
  let db: TestDatabase;
  let waiting: string;
  let running: string;
  let canceling: string;

  beforeAll(async () => {
    db = await openDatabase();
    const one = await openJobs(db, {});
    const me = someAccount();
    await submitted(one, me);
    const first = await leased(one, me);
    await submitted(one, me);
    const second = await leased(one, me);
    await one.jobs.cancel(me, second.jobId);
    const { id } = await submitted(one, me);
    [waiting, running, canceling] = [id, first.jobId, second.jobId];
    await one.close();
  });
  afterAll(async () => {
    await dropConsistent(db);
  });

  const refused = async (sql: string, values: readonly unknown[], constraint: string): Promise<void> => {
    await expect(db.owner.query(sql, [...values])).rejects.toMatchObject({ constraint });
  };

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
  ])('refuses %s', async (_, set, job) => {
    await refused(`update jobs.job set ${set} where id = $1`, [job()], 'job_row');
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
  ])('refuses %s in the queue', async (_, set, job) => {
    await refused(`update jobs.queue set ${set} where job_id = $1`, [job()], 'queue_row');
  });

  it.each(['waiting = -1', 'running = -1'])('refuses a counter with %s', async (set) => {
    await refused(`update jobs.queue_depth set ${set}`, [], 'queue_depth_row');
  });

  it.each([
    ['no version', 'version', '0'],
    ['a type without a name', 'type', `'ab'`],
    ['no schema version', 'schema_version', '0'],
    ['a fence below zero', 'fence', '-1'],
    ['a sequence that counts from zero', 'worker_seq', '0'],
    ['an empty correlation', 'correlation_id', `''`],
    ['no data', 'data', `''::bytea`],
    ['more data than an event may have', 'data', `convert_to(repeat('x', 1048577), 'UTF8')`],
  ])('refuses an event with %s', async (_, column, value) => {
    const selected = COPIED.split(', ').map((name) => (name === column ? value : name === 'version' ? '99' : name));
    const sql = `insert into jobs.event (event_id, ${COPIED})
                 select $2, ${selected.join(', ')} from jobs.event where stream_id = $1 and version = 1`;
    await refused(sql, [running, newUuid()], 'event_row');
  });

  it('refuses the id of an event a second time within its job, and takes it in another job', async () => {
    const copy = (stream: string): string =>
      `insert into jobs.event (event_id, ${COPIED})
       select event_id, ${COPIED.replace('stream_id, version', `${stream}, 99`)} from jobs.event where stream_id = $1 and version = 1`;
    await refused(copy('stream_id'), [running], 'event_id_within_stream');
    const client = await db.owner.connect();
    try {
      await client.query('begin');
      expect((await client.query(copy(`'${newUuid()}'`), [running])).rowCount).toBe(1);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
