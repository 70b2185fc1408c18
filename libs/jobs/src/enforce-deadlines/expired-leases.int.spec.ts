import type { JobId, JobStatus, Principal } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the number of expired leases', () => {
  const metrics = new MetricsRegistry();
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { sweepIntervalMs: 20, retryDelayMs: 0, maxAttempts: 1 }, { metrics });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  const expired = async (): Promise<number> =>
    Number(/^heddle_leases_expired_total (\S+)$/m.exec(await metrics.metrics())?.[1]);
  const ends = async (me: Principal, id: JobId, status: JobStatus): Promise<void> => {
    await until(async () => valueOf(await one.jobs.get(me, id)).status === status, `the job being ${status}`);
  };

  it('does not grow with a last attempt whose engine crashed', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    const crash = { kind: 'lost', reason: 'the engine crashed' } as const;
    await one.leases.ingest([reportOf(lease, 1, { ...succeeded, outcome: crash })]);
    await ends(me, id, 'failed');
    expect(await expired()).toBe(0);
  });

  it('grows with a last attempt whose lease ran out', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await leased(one, me);
    await db.advanceClock(31_000);
    await ends(me, id, 'failed');
    expect(await expired()).toBe(1);
  });

  it('is beside that of jobs past a deadline, which falls to 0 once they are decided', async () => {
    const found = /^heddle_jobs_overdue\{deadline="lease"\} (\d+)$/m;
    const overdue = async (): Promise<string | undefined> => found.exec(await metrics.metrics())?.[1];
    const held = await db.owner.connect();
    try {
      const me = someAccount();
      const { id } = await submitted(one, me);
      await leased(one, me);
      // While the job's row is locked, its lease is condemned and its next event waits.
      await held.query('begin');
      await held.query('select from jobs.job where id = $1 for update', [id]);
      await db.advanceClock(31_000);
      await expect.poll(overdue).toBe('1');
      await held.query('rollback');
      await ends(me, id, 'failed');
      await expect.poll(overdue).toBe('0');
    } finally {
      held.release(true);
    }
  });

  it('grows with a lease that ran out while its job was being canceled', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await leased(one, me);
    await one.jobs.cancel(me, id);
    await db.advanceClock(31_000);
    await ends(me, id, 'canceled');
    expect(await expired()).toBe(3);
  });
});
