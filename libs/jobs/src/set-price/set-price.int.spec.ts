import { MAX_PRICE_PER_JOB, MAX_PRICE_PER_SECOND } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditsOf } from '../jobs-under-test/credits.fixture.js';
import { dropConsistent, openDatabase, openJobs, someAccount, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the price of a deployment', () => {
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

  it('changes in the part that is given', async () => {
    const [{ deploymentId }, unpriced] = [someAccount(), someAccount()];
    const credits = creditsOf(one);
    expect(valueOf(await credits.setPrice(deploymentId, { perSecond: 0.000001 }))).toEqual({
      perJob: 0,
      perSecond: 0.000001,
    });
    expect(valueOf(await credits.setPrice(deploymentId, { perJob: 3 }))).toEqual({ perJob: 3, perSecond: 0.000001 });
    expect(await credits.pricesOf([deploymentId, unpriced.deploymentId])).toEqual(
      new Map([[deploymentId, { perJob: 3, perSecond: 0.000001 }]]),
    );
  });

  it.each([
    ['per_job', { perJob: -1 }],
    ['per_job', { perJob: 0.5 }],
    ['per_job', { perJob: MAX_PRICE_PER_JOB + 1 }],
    ['per_second', { perSecond: -0.1 }],
    ['per_second', { perSecond: 0.0000001 }],
    ['per_second', { perSecond: MAX_PRICE_PER_SECOND + 1 }],
    ['per_second', { perSecond: Number.NaN }],
  ])('names the field %s of %j, and stays as it was', async (field, change) => {
    const { deploymentId } = someAccount();
    expect(await creditsOf(one).setPrice(deploymentId, change)).toMatchObject({
      rejection: {
        code: 'invalid_request',
        details: { fields: { [field]: expect.stringMatching(/^must be/) as string } },
      },
    });
    expect(await creditsOf(one).pricesOf([deploymentId])).toEqual(new Map());
  });
});
