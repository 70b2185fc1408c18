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

describe('a heartbeat', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db);
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  it('reports which leases are held, lost or asked to cancel, in the order in which they are named', async () => {
    const me = someAccount();
    const [first, second] = [await submitted(one, me), await submitted(one, me)];
    const leases = [await leased(one, me), await leased(one, me)];
    expect(leases.map(({ jobId }) => jobId)).toEqual([first.id, second.id]);
    valueOf(await one.jobs.cancel(me, second.id));
    const [held, asked] = leases;
    const older = { jobId: held!.jobId, fence: held!.fence + 1 };
    expect(await one.leases.heartbeat('worker-a', [asked!, older, held!])).toEqual([
      { jobId: second.id, fence: asked!.fence, state: 'cancel_requested' },
      { ...older, state: 'lost' },
      { jobId: first.id, fence: held!.fence, state: 'held' },
    ]);
  });

  it('of another worker renews nothing', async () => {
    const me = someAccount();
    await submitted(one, me);
    const lease = await leased(one, me);
    const until = async () =>
      (
        await db.owner.query<{ until: Date }>('select lease_until as until from jobs.queue where job_id = $1', [
          lease.jobId,
        ])
      ).rows[0]!.until.getTime();
    const before = await until();
    await db.advanceClock(1_000);
    expect(await one.leases.heartbeat('worker-b', [lease])).toMatchObject([{ state: 'lost' }]);
    expect(await until()).toBe(before);
    expect(await one.leases.heartbeat('worker-a', [lease])).toMatchObject([{ state: 'held' }]);
    expect(await until()).toBeGreaterThan(before);
  });
});
