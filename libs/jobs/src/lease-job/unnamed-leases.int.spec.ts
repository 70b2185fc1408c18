import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const LEASE_MS = 600_000;

describe('a lease that its worker does not name', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { leaseMs: LEASE_MS });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  it('is handed back by a heartbeat before it runs out, and spends no attempt', async () => {
    const me = someAccount();
    const [lost, named] = [await submitted(one, me), await submitted(one, me)];
    const leases = [await leased(one, me, 'worker-a'), await leased(one, me, 'worker-a')];
    const held = leases.filter(({ jobId }) => jobId === named.id);
    // A heartbeat in flight while the lease was granted says nothing about it.
    expect(await one.leases.heartbeat('worker-a', held)).toMatchObject([{ state: 'held' }]);
    expect(valueOf(await one.jobs.get(me, lost.id)).status).toBe('running');
    await db.advanceClock((LEASE_MS * 2) / 3 + 1_000);
    await one.leases.heartbeat('worker-a', held);
    expect(await leased(one, me, 'worker-b')).toMatchObject({ jobId: lost.id, fence: 2, attempt: 1 });
    expect(valueOf(await one.jobs.get(me, named.id)).status).toBe('running');
  });
});
