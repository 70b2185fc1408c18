import { NO_CREDITS } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditsOf, priced } from '../jobs-under-test/credits.fixture.js';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
  succeeded,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the credits of an account', () => {
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

  it('are nothing for an account without entries, which balances leave out', async () => {
    const [me, nobody] = [someAccount(), someAccount()];
    await priced(one, me, { perJob: 1 }, 5);
    expect(await creditsOf(one).show(nobody.accountId)).toEqual(NO_CREDITS);
    expect(await creditsOf(one).balancesOf([me.accountId, nobody.accountId])).toEqual(new Map([[me.accountId, 5]]));
  });

  it('are reserved while a job waits, and charged once it succeeded', async () => {
    const me = someAccount();
    await priced(one, me, { perJob: 2 }, 5);
    await submitted(one, me);
    expect(await creditsOf(one).show(me.accountId)).toMatchObject({ balance: 3, reserved: 2, charged: 0 });
    await one.leases.ingest([reportOf(await leased(one, me), 1, succeeded)]);
    expect(await creditsOf(one).show(me.accountId)).toMatchObject({ balance: 3, reserved: 0, charged: 2 });
  });
});
