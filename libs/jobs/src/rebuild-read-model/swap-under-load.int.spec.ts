import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobId, JobStatus } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  leased,
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
import { verifyHistory } from '../verify-history/verify-history.js';
import { rebuildReadModel } from './rebuild-read-model.js';
import { dropRebuilt } from './shadow-tables.js';

describe('a rebuild with a swap while jobs run', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { queueDepthAccount: 100_000 });
  });
  afterAll(async () => {
    await one.close();
    await db.drop();
  });

  it('keeps every job that was acknowledged, in the state that was acknowledged', { timeout: 180_000 }, async () => {
    const known = new Map<JobId, { readonly me: ReturnType<typeof someAccount>; readonly status: JobStatus }>();
    let stopped = false;
    const submitting = async (): Promise<void> => {
      const me = someAccount();
      while (!stopped) {
        const { id } = await submitted(one, me, { metadata: { team: 'a' } });
        known.set(id, { me, status: 'queued' });
        // Read after write, also while the tables are exchanged.
        expect(valueOf(await one.jobs.get(me, id)).status).toBe('queued');
      }
    };
    const working = async (): Promise<void> => {
      const me = someAccount();
      while (!stopped) {
        await submitted(one, me);
        const lease = await leased(one, me);
        const output = reportOf(lease, 1, { kind: 'output_committed', output: outputOf('9/0/0') });
        await one.leases.ingest([output, reportOf(lease, 2, succeeded)]);
        known.set(lease.jobId, { me, status: 'succeeded' });
      }
    };
    const loops = [submitting(), submitting(), working(), working()];
    const failed = Promise.all(loops);
    failed.catch(() => (stopped = true));
    try {
      for (let turn = 0; turn < 3; turn++) {
        const before = known.size;
        await until(async () => await Promise.resolve(stopped || known.size > before + 100), 'jobs');
        const report = await rebuildReadModel(db.owner, 'jobs_swapped', { swap: true });
        expect(report).toMatchObject({ differences: [], swapped: true, unusable: 0 });
        await dropRebuilt(db.owner, 'jobs_swapped');
      }
    } finally {
      stopped = true;
    }
    await failed;
    expect(known.size).toBeGreaterThan(300);
    for (const [id, { me, status }] of known) {
      const job = valueOf(await one.jobs.get(me, id));
      expect([job.status, job.outputs.length]).toEqual([status, status === 'succeeded' ? 1 : 0]);
    }
    expect(await verifyHistory(db.pool('heddle_jobs'))).toMatchObject({ faults: [], readModel: 'equal' });
  });

  it('gives up its lock for others, leaves the live tables alone, and says nothing was swapped', async () => {
    const reader = new pg.Client({ connectionString: db.ownerUrl });
    await reader.connect();
    const stop = new AbortController();
    let swapped = false;
    try {
      await reader.query('begin; select from jobs.job limit 1');
      const rebuilt = rebuildReadModel(db.owner, 'jobs_stopped', {
        swap: true,
        signal: stop.signal,
        onSwapped: () => (swapped = true),
      });
      const waits = `select from pg_locks where mode = 'AccessExclusiveLock' and not granted and relation = 'jobs.job'::regclass`;
      await until(async () => (await db.owner.query(waits)).rowCount === 1, 'the swap');
      // Beside a swap that waits, submissions are late by its lock timeout at most.
      await submitted(one, someAccount());
      stop.abort(new Error('interrupted'));
      await expect(rebuilt).rejects.toThrow('interrupted');
    } finally {
      await reader.end();
    }
    expect(swapped).toBe(false);
    await dropRebuilt(db.owner, 'jobs_stopped');
    const left = `select nspname from pg_namespace where nspname like 'jobs\\_%'`;
    expect((await db.owner.query(left)).rows).toEqual([]);
    expect(await verifyHistory(db.pool('heddle_jobs'))).toMatchObject({ faults: [], readModel: 'equal' });
  });
});
