import { setTimeout as delay } from 'node:timers/promises';
import type { QueryConfig, QueryResult } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobLease, JobSubmission, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import {
  codeOf,
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  outputOf,
  progressOf,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const COMBINED = /^submit-.*-and-lease$/;
const lost = { kind: 'outcome', outcome: { kind: 'lost', reason: 'crash' }, progress: progressOf(0) } as const;

describe('a lease with its submission', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  /** What happens to the answer of each combined statement, which is committed in any case. */
  let answers: 'come' | 'are lost' = 'come';
  let combined = 0;
  beforeAll(async () => {
    db = await openDatabase();
    const pool = db.pool(JOBS_ROLE);
    const watched = new Proxy(pool, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)) as unknown,
    });
    const query = async (config: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
      const answer = await pool.query(config, values);
      if (typeof config === 'string' || !COMBINED.test(config.name ?? '')) return answer;
      combined += 1;
      if (answers === 'come') return answer;
      answers = 'come';
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    one = await openJobs({ database: { pool: () => watched } }, { retryDelayMs: 3_600_000 });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  /** The work begins after the worker has found the queue empty. */
  async function whileWaiting(me: Principal, work: (lease: Promise<JobLease>) => Promise<void>): Promise<void> {
    const lease = leased(one, me);
    await delay(50);
    await work(lease);
  }

  const transactions = async (jobId: string): Promise<readonly string[]> =>
    (
      await db.owner.query<{ event: string }>(
        `select type || ' ' || dense_rank() over (order by txid) as event from jobs.event where stream_id = $1 order by version`,
        [jobId],
      )
    ).rows.map(({ event }) => event);

  it('is one transaction where a worker waits; the client reads that the job is queued', async () => {
    const me = someAccount();
    await whileWaiting(me, async (coming) => {
      const workflow = Buffer.from('{"1":{"class_type":"EmptyImage","inputs":{}}}');
      const view = await submitted(one, me, { workflow });
      expect(view).toMatchObject({ status: 'queued', version: 1, queuePosition: 1 });
      const lease = await coming;
      expect(lease).toMatchObject({ jobId: view.id, fence: 1, attempt: 1, nodesTotal: 1 });
      expect(Buffer.from(lease.workflow)).toEqual(workflow);
      expect(await transactions(view.id)).toEqual(['JobSubmitted 1', 'JobLeased 1']);
      expect(valueOf(await one.jobs.get(me, view.id))).toMatchObject({ status: 'running', version: 2 });
      await one.leases.ingest([
        reportOf(lease, 1, { kind: 'output_committed', output: outputOf('1/0/0') }),
        reportOf(lease, 2, succeeded),
      ]);
      expect(valueOf(await one.jobs.get(me, view.id))).toMatchObject({ status: 'succeeded', version: 4 });
    });
  });

  it('leaves the order of the queue as it is: a job that waits is before it', async () => {
    const me = someAccount();
    const first = await submitted(one, me);
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 1, lost)]);
    expect(valueOf(await one.jobs.get(me, first.id)).status).toBe('queued');
    await whileWaiting(me, async (coming) => {
      const before = combined;
      const { id, queuePosition } = await submitted(one, me);
      expect([combined - before, queuePosition]).toEqual([1, 2]);
      // The first job waits for its next attempt, so the worker gets the second, with a separate lease.
      expect((await coming).jobId).toBe(id);
      expect(await transactions(id)).toEqual(['JobSubmitted 1', 'JobLeased 2']);
    });
  });

  it('is none where the submission is refused, and the worker goes on waiting', async () => {
    const me = someAccount();
    const idempotencyKey = `key-${me.accountId}`;
    await submitted(one, me, { idempotencyKey });
    await leased(one, me);
    await whileWaiting(me, async (coming) => {
      const refused = await one.jobs.submit(me, submissionOf({ idempotencyKey }));
      expect(codeOf(refused)).toBe('idempotency_key_reuse');
      await delay(50);
      const { id } = await submitted(one, me);
      expect((await coming).jobId).toBe(id);
      expect(await transactions(id)).toEqual(['JobSubmitted 1', 'JobLeased 1']);
    });
  });

  it('is handed back unspent where its answer is lost, and the job runs', async () => {
    const me = someAccount();
    await submitted(one, me);
    await leased(one, me);
    await whileWaiting(me, async (coming) => {
      answers = 'are lost';
      const { id } = await submitted(one, me);
      expect(await coming).toMatchObject({ jobId: id, fence: 2, attempt: 1 });
      expect(await transactions(id)).toEqual(['JobSubmitted 1', 'JobLeased 1', 'LeaseLost 2', 'JobLeased 3']);
    });
  });

  it('carries the credentials of the submission', async () => {
    const me = someAccount();
    await whileWaiting(me, async (coming) => {
      const credentials = { apiKey: 'secret' } as unknown as JobSubmission['credentials'];
      await submitted(one, me, { credentials });
      expect((await coming).credentials).toEqual(credentials);
    });
  });
});
