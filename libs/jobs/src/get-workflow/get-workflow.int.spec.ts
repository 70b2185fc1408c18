import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeOf,
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

describe('the workflow of a job', () => {
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

  it('is returned byte for byte, to its account and deployment alone', async () => {
    const me = someAccount();
    // Spaces, a number that no double holds and a repeated key: none of them survives JSON.parse.
    const workflow = Buffer.from('{ "1" : {"class_type":"A","inputs":{"seed":18446744073709551615, "a":1,"a":1.0}}}\n');
    const { id } = await submitted(one, me, { workflow });
    expect(Buffer.from(valueOf(await one.jobs.workflow(me, id)))).toEqual(workflow);
    const answers = await Promise.all([
      one.jobs.workflow({ ...me, accountId: someAccount().accountId }, id),
      one.jobs.workflow({ ...me, deploymentId: someAccount().deploymentId }, id),
      one.jobs.workflow(me, newUuid() as JobId),
      one.jobs.workflow(me, 'nonsense' as JobId),
    ]);
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'not_found'));
  });
});
