import { MAX_CREDIT_CHANGE, MAX_CREDIT_NOTE, MAX_GRANTED, NO_CREDITS } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditsOf, entriesOf, sumsOf } from '../jobs-under-test/credits.fixture.js';
import {
  codeOf,
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('a change of a balance', () => {
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

  it('adds what is granted and takes what is withdrawn, each with its entry', async () => {
    const me = someAccount();
    const credits = creditsOf(one);
    expect(valueOf(await credits.grant(me.accountId, { amount: 10, note: 'invoice 7' }))).toMatchObject({
      balance: 10,
    });
    expect(valueOf(await credits.withdraw(me.accountId, { amount: 4, note: null }))).toEqual({
      balance: 6,
      reserved: 0,
      granted: 10,
      charged: 0,
      withdrawn: 4,
    });
    expect(await entriesOf(one, me)).toMatchObject([
      { kind: 'grant', amount: 10, balance: 10, note: 'invoice 7' },
      { kind: 'withdraw', amount: -4, balance: 6, note: null },
    ]);
  });

  it('is refused where the balance does not cover it, and says what is there', async () => {
    const me = someAccount();
    valueOf(await creditsOf(one).grant(me.accountId, { amount: 3, note: null }));
    expect(await creditsOf(one).withdraw(me.accountId, { amount: 4, note: null })).toMatchObject({
      rejection: { code: 'insufficient_credits', details: { required: 4, balance: 3 } },
    });
    expect(await sumsOf(one, me)).toMatchObject({ balance: 3, withdrawn: 0 });
  });

  it.each([
    ['amount', { amount: 0, note: null }],
    ['amount', { amount: 1.5, note: null }],
    ['amount', { amount: MAX_CREDIT_CHANGE + 1, note: null }],
    ['note', { amount: 1, note: '' }],
    ['note', { amount: 1, note: 'two\nlines' }],
    ['note', { amount: 1, note: 'n'.repeat(MAX_CREDIT_NOTE + 1) }],
  ])('names the field %s of %j, and changes nothing', async (field, change) => {
    const { accountId } = someAccount();
    for (const answer of [
      await creditsOf(one).grant(accountId, change),
      await creditsOf(one).withdraw(accountId, change),
    ])
      expect(answer).toMatchObject({
        rejection: {
          code: 'invalid_request',
          details: { fields: { [field]: expect.stringMatching(/^must be/) as string } },
        },
      });
    expect(await creditsOf(one).show(accountId)).toEqual(NO_CREDITS);
  });

  it('never grants an account more than the limit in all', async () => {
    const me = someAccount();
    const grant = () => creditsOf(one).grant(me.accountId, { amount: MAX_CREDIT_CHANGE, note: null });
    for (let granted = 0; granted < MAX_GRANTED; granted += MAX_CREDIT_CHANGE) valueOf(await grant());
    expect(codeOf(await grant())).toBe('invalid_request');
    expect(await sumsOf(one, me)).toMatchObject({ granted: MAX_GRANTED });
  });

  it('leaves the sum of many at once', async () => {
    const me = someAccount();
    valueOf(await creditsOf(one).grant(me.accountId, { amount: 10, note: null }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => creditsOf(one).withdraw(me.accountId, { amount: 1, note: null })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(await sumsOf(one, me)).toMatchObject({ balance: 0, withdrawn: 10 });
  });
});
