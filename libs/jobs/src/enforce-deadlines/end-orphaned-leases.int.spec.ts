import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
} from '../jobs-under-test/open-jobs.fixture.js';

describe('leases of a process that died', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openDatabase();
  });
  afterAll(async () => await dropConsistent(db));

  it('end at once for the next process that is alone, and count as spent attempts', async () => {
    const me = someAccount();
    const first = await openJobs(db, {}, { alone: true });
    await submitted(first, me);
    const before = await leased(first, me);
    await first.close();
    const second = await openJobs(db, { retryDelayMs: 10 }, { alone: true });
    const after = await leased(second, me);
    expect(after).toMatchObject({ jobId: before.jobId, attempt: before.attempt + 1 });
    expect(after.fence).toBeGreaterThan(before.fence);
    await second.close();
  });
});
