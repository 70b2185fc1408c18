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
} from '../open-jobs.fixture.js';
import type { OpenJobs } from '../open-jobs.fixture.js';

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

  it('grows with a lease that ran out while its job was being canceled', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await leased(one, me);
    await one.jobs.cancel(me, id);
    await db.advanceClock(31_000);
    await ends(me, id, 'canceled');
    expect(await expired()).toBe(2);
  });
});
