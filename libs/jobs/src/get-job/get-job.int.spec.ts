import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeOf,
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('a job', () => {
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

  it('is shown as its submission answered, with its place in the queue', async () => {
    const me = someAccount();
    const first = await submitted(one, me, { metadata: { run: '7' } });
    const second = await submitted(one, me);
    expect(valueOf(await one.jobs.get(me, first.id))).toEqual(first);
    expect(valueOf(await one.jobs.get(me, first.id))).toMatchObject({ status: 'queued', metadata: { run: '7' } });
    const places = [first, second].map(async ({ id }) => valueOf(await one.jobs.get(me, id)).queuePosition);
    expect(await Promise.all(places)).toEqual([1, 2]);
  });

  it('is shown with its outputs and its end', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    expect(valueOf(await one.jobs.get(me, id))).toMatchObject({ status: 'running', queuePosition: null, outputs: [] });
    const output = outputOf('9/0/0');
    await one.leases.ingest([reportOf(lease, 1, { kind: 'output_committed', output }), reportOf(lease, 2, succeeded)]);
    expect(valueOf(await one.jobs.get(me, id))).toMatchObject({
      status: 'succeeded',
      outputs: [{ name: output.name, assetId: output.assetId }],
    });
  });

  it('is not found by another account or deployment, nor by an id that cannot be', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const answers = await Promise.all([
      one.jobs.get({ ...me, accountId: someAccount().accountId }, id),
      one.jobs.get({ ...me, deploymentId: someAccount().deploymentId }, id),
      one.jobs.get(me, newUuid() as JobId),
      one.jobs.get(me, 'nonsense' as JobId),
    ]);
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'not_found'));
  });
});
