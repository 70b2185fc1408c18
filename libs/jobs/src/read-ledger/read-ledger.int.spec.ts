import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditsOf, entriesOf, priced } from '../jobs-under-test/credits.fixture.js';
import {
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the ledger of an account', () => {
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

  it('names the job that an entry is of, and holds no entry of another account', async () => {
    const [me, other] = [someAccount(), someAccount()];
    await priced(one, me, { perJob: 2 }, 5);
    await priced(one, other, { perJob: 2 }, 7);
    const { id } = await submitted(one, me);
    expect(await entriesOf(one, me)).toMatchObject([
      { kind: 'grant', amount: 5, balance: 5, jobId: null },
      { kind: 'reserve', amount: -2, balance: 3, jobId: id, taskId: null },
    ]);
  });

  it('is read in parts, oldest first, each entry exactly once', async () => {
    const { accountId } = someAccount();
    for (const amount of [1, 2, 3, 4, 5]) valueOf(await creditsOf(one).grant(accountId, { amount, note: null }));
    const amounts: number[][] = [];
    for (let after: number | null = null; ;) {
      const part = await creditsOf(one).ledger(accountId, { after, limit: 2 });
      if (part.length === 0) break;
      amounts.push(part.map(({ amount }) => amount));
      after = part.at(-1)!.entryId;
    }
    expect(amounts).toEqual([[1, 2], [3, 4], [5]]);
  });
});
