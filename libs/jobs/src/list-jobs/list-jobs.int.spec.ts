import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { JobListQuery, JobPage, JobSubmission, JobView, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
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

describe('listing jobs', () => {
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

  const list = async (me: Principal, query: Partial<JobListQuery> = {}): Promise<JobPage> =>
    valueOf(await one.jobs.list(me, { ...everything, ...query }));
  /** Of two jobs in the same millisecond neither is newer. */
  const newer = async (me: Principal, changes: Partial<JobSubmission> = {}): Promise<JobView> => {
    await db.advanceClock(1);
    return await submitted(one, me, changes);
  };
  const everything: JobListQuery = { statuses: [], limit: 100, cursor: null, idempotencyKey: null, metadata: {} };

  it('shows each job once across the pages, newest first, while new jobs arrive', async () => {
    const me = someAccount();
    const ids: string[] = [];
    for (let index = 0; index < 23; index++) ids.unshift((await newer(me)).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: JobPage = await list(me, { limit: 5, cursor });
      seen.push(...page.jobs.map((job) => job.id));
      cursor = page.nextCursor;
      await submitted(one, me);
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });

  it('leaves out the heavy parts and shows the position in the queue', async () => {
    const me = someAccount();
    await submitted(one, me);
    const { id } = await newer(me, { metadata: { a: '1' } });
    const [newest] = (await list(me)).jobs;
    expect(newest).toMatchObject({ id, status: 'queued', queuePosition: 2, metadata: { a: '1' } });
    expect(newest).not.toHaveProperty('outputs');
  });

  it('filters by status, by key and by labels', async () => {
    const me = someAccount();
    const idempotencyKey = newUuid();
    const keyed = await submitted(one, me, { idempotencyKey, metadata: { team: 'a', run: '1' } });
    const other = await newer(me, { metadata: { team: 'a', run: '2' } });
    await one.jobs.cancel(me, other.id);
    const ids = async (query: Partial<JobListQuery>): Promise<readonly string[]> =>
      (await list(me, query)).jobs.map((job) => job.id);
    expect(await ids({ idempotencyKey })).toEqual([keyed.id]);
    expect(await ids({ statuses: ['canceled', 'expired'] })).toEqual([other.id]);
    expect(await ids({ metadata: { team: 'a' } })).toEqual([other.id, keyed.id]);
    expect(await ids({ metadata: { team: 'a', run: '1' } })).toEqual([keyed.id]);
    expect(await ids({ metadata: { team: 'b' } })).toEqual([]);
    expect((await list(someAccount(), { idempotencyKey })).jobs).toEqual([]);
  });

  it('refuses a cursor that was not issued here, or to another account or deployment', async () => {
    const me = someAccount();
    for (let index = 0; index < 3; index++) await submitted(one, me);
    const { nextCursor } = await list(me, { limit: 1 });
    const flipped = `${nextCursor!.startsWith('A') ? 'B' : 'A'}${nextCursor!.slice(1)}`;
    const other = { ...someAccount(), deploymentId: me.deploymentId };
    const elsewhere = { ...me, deploymentId: someAccount().deploymentId };
    const answers = [
      ...(await Promise.all(
        ['', 'x', flipped, `${nextCursor}=`].map(async (cursor) => await one.jobs.list(me, { ...everything, cursor })),
      )),
      await one.jobs.list(other, { ...everything, cursor: nextCursor }),
      await one.jobs.list(elsewhere, { ...everything, cursor: nextCursor }),
    ];
    expect(answers.map(codeOf)).toEqual(Array.from({ length: 6 }, () => 'invalid_cursor'));
    expect((await list(me, { cursor: nextCursor })).jobs).toHaveLength(2);
  });
});
