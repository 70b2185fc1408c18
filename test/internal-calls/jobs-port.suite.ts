import { newUuid, Secret } from '@heddle/contracts-messages';
import type { JobId, JobsPort, JobSubmission } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobsDatabase, leasedBy, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

export interface BoundJobs {
  readonly port: JobsPort;
  close(): Promise<void>;
}

const QUERY = { statuses: [], limit: 10, cursor: null, idempotencyKey: null, metadata: {} };
const DEPTH = 3;

/** Conformance suite of JobsPort. `bind` connects it to the jobs service of the suite. */
export function describeJobsPort(name: string, bind: (local: JobsUnderTest) => Promise<BoundJobs>): void {
  describe(`JobsPort ${name}`, () => {
    let db: TestDatabase;
    let local: JobsUnderTest;
    let bound: BoundJobs;
    let jobs: JobsPort;
    beforeAll(async () => {
      db = await jobsDatabase();
      local = await openJobs(db, { settings: { queueDepthAccount: DEPTH } });
      bound = await bind(local);
      jobs = bound.port;
    });
    afterAll(async () => {
      await bound.close();
      await local.close();
      await db.drop();
    });
    const notFound = { ok: false, rejection: { code: 'not_found' } };

    it('takes a submission, and shows its job with a null for all that is not there yet', async () => {
      const me = someAccount();
      const metadata = Object.fromEntries([
        ['__proto__', 'a'],
        ['project', 'é\u{1f39e}\ud800'],
        ['empty', ''],
      ]);
      const submission = submissionOf({ metadata, idempotencyKey: newUuid() });
      const answer = await jobs.submit(me, submission);
      if (!answer.ok) throw new Error(answer.rejection.message);
      expect(Object.entries(answer.value.metadata)).toEqual(expect.arrayContaining(Object.entries(metadata)));
      expect(answer.value).toEqual({
        ...answer.value,
        ...me,
        id: submission.jobId,
        status: 'queued',
        version: 1,
        fence: 0,
        startedAt: null,
        completedAt: null,
        queuePosition: 1,
        progress: null,
        outputs: [],
        error: null,
        queueMs: null,
        executionMs: null,
      });
      expect(await jobs.get(me, submission.jobId)).toEqual(answer);
    });

    it('keeps the bytes of a workflow, whatever and however many they are', async () => {
      for (const workflow of [Buffer.alloc(0), Buffer.from([0xff, 0, 0x0a]), Buffer.alloc(2 * 1024 ** 2, 'x')]) {
        const me = someAccount();
        const { jobId } = submissionOf();
        // A view of a larger body.
        const within = Buffer.concat([Buffer.from('ab'), workflow, Buffer.from('c')]).subarray(2, 2 + workflow.length);
        expect(await jobs.submit(me, submissionOf({ jobId, workflow: within }))).toMatchObject({ ok: true });
        const kept = await jobs.workflow(me, jobId);
        expect(kept.ok && Buffer.from(kept.value).equals(workflow)).toBe(true);
      }
    });

    it('answers a submission that arrives twice by its job', async () => {
      const me = someAccount();
      const submission = submissionOf({ idempotencyKey: newUuid() });
      const both = await Promise.all([jobs.submit(me, submission), jobs.submit(me, submission)]);
      for (const answer of [...both, await jobs.submit(me, submission)]) {
        expect(answer).toMatchObject({ ok: true, value: { id: submission.jobId, status: 'queued' } });
      }
    });

    it('refuses a used key and a full queue, and says what that means for the key', async () => {
      const me = someAccount();
      const idempotencyKey = newUuid();
      expect(await jobs.submit(me, submissionOf({ idempotencyKey }))).toMatchObject({ ok: true });
      const used = { ok: false, why: 'key_claimed', rejection: { code: 'idempotency_key_reuse' } };
      expect(await jobs.submit(me, submissionOf({ idempotencyKey }))).toMatchObject(used);
      expect([await jobs.isKeyClaimed(me, idempotencyKey), await jobs.isKeyClaimed(me, newUuid())]).toEqual([
        true,
        false,
      ]);
      expect(await jobs.isKeyClaimed(someAccount(), idempotencyKey)).toBe(false);
      await jobs.submit(me, submissionOf());
      await jobs.submit(me, submissionOf());
      const full = await jobs.submit(me, submissionOf());
      expect(full).toMatchObject({ ok: false, why: 'queue_full', rejection: { code: 'queue_full' } });
      expect(full.ok || full.rejection.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(full.ok || full.rejection).not.toHaveProperty('details');
    });

    it('takes many submissions at once, each for itself', async () => {
      const accounts = Array.from({ length: 60 }, () => ({ me: someAccount(), submission: submissionOf() }));
      const answers = await Promise.all(accounts.map(({ me, submission }) => jobs.submit(me, submission)));
      answers.forEach((answer, at) => {
        const { me, submission } = accounts[at]!;
        expect(answer).toMatchObject({ ok: true, value: { id: submission.jobId, accountId: me.accountId } });
      });
    });

    it('says not found of what is unknown, and of what is another’s', async () => {
      const [me, stranger] = [someAccount(), someAccount()];
      const { jobId } = submissionOf();
      await jobs.submit(me, submissionOf({ jobId }));
      for (const [who, which] of [
        [stranger, jobId],
        [me, newUuid() as JobId],
      ] as const) {
        expect(await jobs.get(who, which)).toMatchObject(notFound);
        expect(await jobs.cancel(who, which)).toMatchObject(notFound);
        expect(await jobs.workflow(who, which)).toMatchObject(notFound);
      }
    });

    it('pages through jobs by status, label and key, and refuses a cursor that is none', async () => {
      const me = someAccount();
      const key = newUuid();
      const made: JobSubmission[] = [];
      for (const one of [{ metadata: { a: '1' } }, { metadata: { a: '2' } }, { idempotencyKey: key }]) {
        made.push(submissionOf(one));
        await jobs.submit(me, made.at(-1)!);
      }
      await jobs.cancel(me, made[0]!.jobId);
      const idsOf = async (query: object): Promise<readonly string[]> => {
        const answer = await jobs.list(me, { ...QUERY, ...query });
        if (!answer.ok) throw new Error(answer.rejection.message);
        return answer.value.jobs.map(({ id }) => id);
      };
      const [first, second, third] = made.map(({ jobId }) => jobId);
      expect(await idsOf({ statuses: ['canceled', 'failed'] })).toEqual([first]);
      expect(await idsOf({ metadata: { a: '2' } })).toEqual([second]);
      expect(await idsOf({ idempotencyKey: key })).toEqual([third]);
      const page = await jobs.list(me, { ...QUERY, limit: 2 });
      const cursor = page.ok ? page.value.nextCursor : null;
      expect(cursor).not.toBeNull();
      expect(await idsOf({ cursor })).toEqual([first]);
      const last = await jobs.list(me, QUERY);
      expect(last).toMatchObject({ value: { nextCursor: null } });
      expect(last).toEqual(await local.jobs.list(me, QUERY));
      expect(await jobs.list(me, { ...QUERY, cursor: 'none' })).toMatchObject({ ok: false });
    });

    it('cancels, and returns the queue positions of jobs that wait', async () => {
      const me = someAccount();
      const [one, two] = [submissionOf(), submissionOf()];
      await jobs.submit(me, one);
      await jobs.submit(me, two);
      const asked = [one.jobId, two.jobId, newUuid() as JobId];
      expect(await jobs.queuePositions(asked)).toEqual(
        new Map([
          [one.jobId, 1],
          [two.jobId, 2],
        ]),
      );
      expect(await jobs.cancel(me, one.jobId)).toMatchObject({
        ok: true,
        value: { status: 'canceled', queuePosition: null },
      });
      expect(await jobs.cancel(me, one.jobId)).toMatchObject({ ok: true, value: { status: 'canceled' } });
      expect(await jobs.queuePositions(asked)).toEqual(new Map([[two.jobId, 1]]));
      expect(await jobs.queuePositions([])).toEqual(new Map());
    });

    it('hands partner credentials on, wrapped at both ends', async () => {
      const me = someAccount();
      const credentials = { apiKey: new Secret('canary-1') };
      expect(await jobs.submit(me, submissionOf({ credentials }))).toMatchObject({ ok: true });
      const lease = await leasedBy(local.work, me, 'worker-a');
      expect(lease.credentials?.apiKey?.reveal()).toBe('canary-1');
      expect(lease.credentials?.authToken).toBeUndefined();
    });
  });
}
