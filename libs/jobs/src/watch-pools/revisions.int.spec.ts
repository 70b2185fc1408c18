import { randomUUID } from 'node:crypto';
import { blake3 } from '@napi-rs/blake-hash';
import { WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobSubmission, OpenJobs, Principal, WorkerPoolsPort } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { knownRevisedCandidatesSql, revisedCandidatesSql } from '../lease-job/revised-leases.sql.js';
import { WORKFLOW_LOCKS, workflowLockSql } from '../purge-jobs/workflow-lock.js';
import {
  dropConsistent,
  leaseRequest,
  openDatabase,
  openJobs as openService,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
  until,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs as Service } from '../jobs-under-test/open-jobs.fixture.js';

describe('jobs of a pinned environment', () => {
  let db: TestDatabase;
  let one: Service;
  let pools: WorkerPoolsPort;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openService(db, { surface: 'dedicated', sweepIntervalMs: 20 });
    pools = one.get<WorkerPoolsPort>(WORKER_POOLS_PORT);
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  const submit = async (me: Principal, revision: number, changes: Partial<JobSubmission> = {}): Promise<JobId> =>
    (await submitted(one, me, { revision, ...changes })).id;
  const open = async ({ deploymentId }: Principal): Promise<Omit<OpenJobs, 'deploymentId'>[]> =>
    (await pools.openJobs([deploymentId]))
      .map(({ revision, waiting, running }) => ({ revision, waiting, running }))
      .toSorted((a, b) => a.revision - b.revision);
  /** What a worker of the revision gets, one lease after another; it ends each job. */
  async function worked(me: Principal, revision: number, count: number): Promise<JobId[]> {
    const workerId = `worker-${revision}`;
    const ids: JobId[] = [];
    while (ids.length < count) {
      const request = leaseRequest(me, workerId, { revision });
      const [lease] = await one.leases.acquire(request, new AbortController().signal);
      ids.push(lease!.jobId);
      await one.leases.ingest([reportOf(lease!, 1, succeeded, workerId)]);
    }
    return ids;
  }

  it('are leased by workers of its revision alone, and are counted by revision', async () => {
    const me = someAccount();
    const older = [await submit(me, 1), await submit(me, 1), await submit(me, 1)];
    const newer = [await submit(me, 2), await submit(me, 2)];
    expect(await open(me)).toEqual([
      { revision: 1, waiting: 3, running: 0 },
      { revision: 2, waiting: 2, running: 0 },
    ]);
    const [lease] = await one.leases.acquire(leaseRequest(me, 'w', { revision: 2 }), new AbortController().signal);
    expect(lease!.jobId).toBe(newer[0]);
    expect(await open(me)).toEqual([
      { revision: 1, waiting: 3, running: 0 },
      { revision: 2, waiting: 1, running: 1 },
    ]);
    // Handed back, it is of its revision still.
    await one.leases.handBack('w', lease!);
    expect(await worked(me, 2, 2)).toEqual(newer);
    // A worker waits while the jobs of another revision arrive.
    const waiting = one.leases.acquire(leaseRequest(me, 'w', { revision: 2 }), new AbortController().signal);
    older.push(await submit(me, 1));
    const last = await submit(me, 2);
    expect(await waiting).toMatchObject([{ jobId: last }]);
    await one.leases.ingest([reportOf((await waiting)[0]!, 1, succeeded, 'w')]);
    expect(await worked(me, 1, 4)).toEqual(older);
    expect(await open(me)).toEqual([]);
  });

  it('are refused once their revision takes none, without a trace, and are accepted again by a newer version', async () => {
    const me = someAccount();
    const { deploymentId } = me;
    const set = async (version: number, ...revisions: number[]): Promise<boolean> =>
      (await pools.setIntakes([{ deploymentId, version, revisions }])).has(deploymentId);
    expect(await set(1, 1, 2)).toBe(true);
    const first = submissionOf({ revision: 1 });
    expect((await one.jobs.submit(me, first)).ok).toBe(true);
    expect(await set(1, 2)).toBe(true);
    const refused = submissionOf({ revision: 1, idempotencyKey: 'free' });
    expect(await one.jobs.submit(me, refused)).toMatchObject({
      ok: false,
      why: 'revision_closed',
      rejection: { code: 'deployment_unavailable', retryAfterSeconds: 1 },
    });
    const traces = ['event', 'job', 'queue', 'idempotency_key'].map((table) =>
      db.owner.query(`select from jobs.${table} where account_id = $1`, [me.accountId]),
    );
    expect((await Promise.all(traces)).map(({ rowCount }) => rowCount)).toEqual([1, 1, 1, 0]);
    // The repetition of an accepted submission is answered with its job.
    expect(await one.jobs.submit(me, first)).toMatchObject({ ok: true, value: { id: first.jobId } });
    // A replica that looked earlier opens nothing again; the next version does.
    expect([await set(1, 1, 2), await set(2, 1, 2), await set(1, 2)]).toEqual([false, true, false]);
    expect((await one.jobs.submit(me, { ...refused, jobId: randomUUID() as JobId })).ok).toBe(true);
    expect((await worked(me, 1, 2)).length).toBe(2);
  });

  it('are among the open jobs of an intake that closed while they were committed', async () => {
    const me = someAccount();
    const { deploymentId } = me;
    await submit(me, 1);
    await pools.setIntakes([{ deploymentId, version: 1, revisions: [1] }]);
    const rival = await db.owner.connect();
    const workflow = Buffer.from('{"held":1}');
    // Behind the look at the intake, a submission takes the lock of its workflow.
    const lock = `pg_advisory_xact_lock(${WORKFLOW_LOCKS}, ${workflowLockSql('$1::bytea')})`;
    await rival.query('begin');
    await rival.query(`select ${lock}`, [blake3(workflow)]);
    const submission = one.jobs.submit(me, submissionOf({ revision: 1, workflow }));
    await until(async () => {
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted and classid = ${WORKFLOW_LOCKS}`;
      return (await rival.query(waiting)).rowCount === 1;
    }, 'a submission that waits');
    const closed = pools.setIntakes([{ deploymentId, version: 1, revisions: [] }]).then(() => open(me));
    await rival.query('commit');
    rival.release();
    const [{ ok }, seen] = await Promise.all([submission, closed]);
    expect(seen).toEqual([{ revision: 1, waiting: ok ? 2 : 1, running: 0 }]);
    await worked(me, 1, ok ? 2 : 1);
  });

  describe('behind many jobs of another revision', () => {
    const crowd = 8_000;
    const me = someAccount();
    let service: PoolClient;
    beforeAll(async () => {
      service = await db.pool(JOBS_ROLE).connect();
      // Jobs of 800 accounts, of which the last has one of the older revision too.
      await db.owner.query(
        `insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline, revision)
         select gen_random_uuid(), md5('account ' || least(n % 800, 799))::uuid, $1, 'queued', 1, 0, timestamptz 'epoch',
           timestamptz 'infinity', case when n > ${crowd} then 1 else 2 end
         from generate_series(0, ${crowd} + 799) n where n < ${crowd} or n % 800 = 799`,
        [me.deploymentId],
      );
      await db.owner.query(
        `insert into jobs.queue_depth (deployment_id, account_id, waiting, served_at)
         select deployment_id, account_id, count(*), 'epoch'::timestamptz + row_number() over (order by count(*)) * interval '1 s'
         from jobs.queue where deployment_id = $1::uuid group by 1, 2
         union all select $1::uuid, '00000000-0000-0000-0000-000000000000'::uuid, ${crowd} + 1, '-infinity'::timestamptz`,
        [me.deploymentId],
      );
      await db.owner.query('vacuum analyze jobs.queue, jobs.queue_depth');
    });
    afterAll(async () => {
      service.release();
      await db.owner.query('delete from jobs.queue where deployment_id = $1', [me.deploymentId]);
      await db.owner.query('delete from jobs.queue_depth where deployment_id = $1', [me.deploymentId]);
    });

    async function costOf(sql: string, values: unknown[]): Promise<{ readonly rows: number; readonly pages: number }> {
      const { rows } = await service.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        values,
      );
      const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
      return { rows: plan['Actual Rows']!, pages: plan['Shared Hit Blocks']! + plan['Shared Read Blocks']! };
    }
    const look = (revision: number): unknown[] => [`{${me.deploymentId}}`, 9, '{}', `{${revision}}`];

    it('cost a look no walk of those', async () => {
      const newer = await costOf(revisedCandidatesSql, look(2));
      const older = await costOf(revisedCandidatesSql, look(1));
      expect([newer.rows, older.rows]).toEqual([9, 1]);
      // The counters of 800 accounts are read by every look; an account without such a job costs one descent of an index.
      expect(newer.pages).toBeLessThan(600);
      expect(older.pages).toBeLessThan(800 * 5);
      const again = await costOf(knownRevisedCandidatesSql, [...look(1), `{${await lastAccount()}}`, '{0}']);
      expect(again.rows).toBe(1);
      expect(again.pages).toBeLessThan(40);
      expect(await open(me)).toEqual([
        { revision: 1, waiting: 1, running: 0 },
        { revision: 2, waiting: crowd, running: 0 },
      ]);
    });

    async function lastAccount(): Promise<string> {
      const { rows } = await db.owner.query<{ id: string }>(`select md5('account 799')::uuid::text as id`);
      return rows[0]!.id;
    }
  });
});
