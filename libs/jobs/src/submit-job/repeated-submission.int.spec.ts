import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, Secret } from '@heddle/contracts-messages';
import type { JobSubmission, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  codeOf,
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submissionOf,
  submitted,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobsSettings } from '../settings.js';
import { planSubmission } from './plan-submission.js';
import { submissionStatement } from './submission-statement.js';

const SETTINGS = { queueDepthAccount: 3, batchLockTimeoutMs: 40 };

describe('a submission that arrives twice', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let other: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    [one, other] = await Promise.all([openJobs(db, SETTINGS), openJobs(db, SETTINGS)]);
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await dropConsistent(db);
  });
  const keyed = (): JobSubmission => submissionOf({ idempotencyKey: newUuid() });
  const events = async ({ accountId }: Principal): Promise<number> => {
    const text = 'select count(*)::int as n from jobs.event where account_id = $1';
    return (await db.owner.query<{ n: number }>(text, [accountId])).rows[0]!.n;
  };

  it.each([
    ['with a key', keyed],
    ['without a key', () => submissionOf()],
  ])('is answered by the job as it is stored: %s', async (_, submissionFor) => {
    const me = someAccount();
    const submission = submissionFor();
    const first = valueOf(await one.jobs.submit(me, submission));
    expect(valueOf(await one.jobs.submit(me, submission))).toEqual(first);
    expect(valueOf(await other.jobs.submit(me, submission))).toEqual(first);
    await other.jobs.cancel(me, first.id);
    expect(valueOf(await one.jobs.submit(me, submission))).toMatchObject({ id: first.id, status: 'canceled' });
    expect(await events(me)).toBe(2);
  });

  it('is one job while the first is under way, in one process and in two, and so is its neighbour', async () => {
    for (const submissionFor of [keyed, () => submissionOf()]) {
      const me = someAccount();
      const submissions = [submissionFor(), submissionFor()];
      const answers = await Promise.all(
        [one, one, other, one, other].flatMap(({ jobs }) => submissions.map((each) => jobs.submit(me, each))),
      );
      expect(answers.map((answer, at) => valueOf(answer).id === submissions[at % 2]!.jobId)).not.toContain(false);
      expect(await events(me)).toBe(2);
    }
  });

  it('waits for the first one of another process, however long its transaction stays open', async () => {
    for (const submission of [keyed(), submissionOf()]) {
      const me = someAccount();
      await submitted(one, me);
      const settings = new JobsSettings(SETTINGS);
      const { item } = planSubmission(me, submission, settings, { ...settings, price: null });
      const { name: _, ...statement } = submissionStatement([{ ...item, lease: null, sealed: null }], settings);
      const client = await db.pool('heddle_jobs').connect();
      await client.query('begin');
      await client.query(statement);
      const again = other.jobs.submit(me, submission);
      const waited = new Set<string>();
      const waits = async (): Promise<number> => {
        for (const transaction of await waiting()) waited.add(transaction);
        return waited.size;
      };
      // Several times as long as a statement waits for a lock; a busy machine sees few of its tries.
      await expect.poll(waits, { interval: 1, timeout: 25_000 }).toBeGreaterThan(3);
      await client.query('commit');
      client.release();
      expect(valueOf(await again)).toMatchObject({ id: submission.jobId, status: 'queued' });
    }
  });
  /** Transactions that wait for a row of another. */
  async function waiting(): Promise<string[]> {
    const text = `select l.virtualtransaction from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()`;
    return (await db.owner.query<{ virtualtransaction: string }>(text)).rows.map((row) => row.virtualtransaction);
  }

  it('is recognized before a full queue', async () => {
    const me = someAccount();
    const [first, ...more] = [submissionOf(), keyed(), submissionOf()];
    for (const each of [first, ...more]) valueOf(await one.jobs.submit(me, each));
    expect(codeOf(await one.jobs.submit(me, submissionOf()))).toBe('queue_full');
    for (const each of [first, ...more]) expect(valueOf(await other.jobs.submit(me, each)).id).toBe(each.jobId);
  });

  it('keeps the credentials of its job', async () => {
    const me = someAccount();
    const submission = submissionOf({ idempotencyKey: newUuid(), credentials: { apiKey: new Secret('canary') } });
    valueOf(await one.jobs.submit(me, submission));
    valueOf(await one.jobs.submit(me, submission));
    const lease = await leased(one, me);
    expect(lease.credentials?.apiKey?.reveal()).toBe('canary');
  });

  it('is refused as it was where the first one was refused, and tried again afterwards', async () => {
    const me = someAccount();
    for (let at = 0; at < 3; at += 1) await submitted(one, me);
    const refused = keyed();
    const answers = await Promise.all([one.jobs.submit(me, refused), one.jobs.submit(me, refused)]);
    expect(answers.map(codeOf)).toEqual(['queue_full', 'queue_full']);
  });

  it('is nobody else’s job', async () => {
    const submission = keyed();
    const [me, stranger] = [someAccount(), someAccount()];
    valueOf(await one.jobs.submit(me, submission));
    await expect(one.jobs.submit(stranger, submission)).rejects.toThrow();
    expect(codeOf(await one.jobs.submit(me, submissionOf({ idempotencyKey: submission.idempotencyKey })))).toBe(
      'idempotency_key_reuse',
    );
  });
});
