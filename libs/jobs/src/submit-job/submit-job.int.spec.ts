import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  codeOf,
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submissionOf,
  submitted,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const HOUR = 3_600_000;

describe('submitting a job', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let rival: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    [one, rival] = await Promise.all([
      openJobs(db, { queueDepthAccount: 20 }),
      openJobs(db, { queueDepthAccount: 20 }),
    ]);
  });
  afterAll(async () => {
    await one.close();
    await rival.close();
    await dropConsistent(db);
  });

  const count = async (table: string, accountId: string): Promise<number> => {
    const text = `select count(*)::int as n from jobs.${table} where account_id = $1`;
    return (await db.owner.query<{ n: number }>(text, [accountId])).rows[0]!.n;
  };

  it('answers the queued job, which a read shows the same', async () => {
    const me = someAccount();
    const view = await submitted(one, me, { metadata: { project: 'loom' } });
    expect(view).toMatchObject({
      status: 'queued',
      version: 1,
      queuePosition: 1,
      startedAt: null,
      progress: null,
      outputs: [],
      error: null,
      metadata: { project: 'loom' },
    });
    expect(Date.parse(view.expiresAt) - Date.parse(view.createdAt)).toBe(30 * 24 * HOUR);
    expect(valueOf(await one.jobs.get(me, view.id))).toEqual(view);
  });

  it('keeps the bytes of the workflow', async () => {
    const me = someAccount();
    const workflow = Buffer.from('{"10": {"class_type":"\\ud800"},  "9":{"seed": 18446744073709551615, "x": 1.0}}');
    const { id } = await submitted(one, me, { workflow });
    expect(Buffer.from(valueOf(await one.jobs.workflow(me, id))).equals(workflow)).toBe(true);
  });

  it('makes exactly one job of 64 concurrent submissions with one key, over two processes', async () => {
    const me = someAccount();
    const idempotencyKey = newUuid();
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const { jobs } = index % 2 === 0 ? one : rival;
        return await jobs.submit(me, submissionOf({ idempotencyKey, workflow: Buffer.from(`{"n":${index}}`) }));
      }),
    );
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1);
    expect(codes.filter((code) => code === 'idempotency_key_reuse')).toHaveLength(63);
    expect([await count('job', me.accountId), await count('event', me.accountId)]).toEqual([1, 1]);
  });

  it('never overshoots the depth with 200 submissions at once, and refusals leave no claim', async () => {
    const me = someAccount();
    const submissions = Array.from({ length: 200 }, () => submissionOf({ idempotencyKey: newUuid() }));
    const answers = await Promise.all(
      submissions.map(async (submission, index) => await (index % 2 === 0 ? one : rival).jobs.submit(me, submission)),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(20);
    const refused = answers.filter((answer) => !answer.ok);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['queue_full']));
    expect(refused.every((answer) => (answer.rejection.retryAfterSeconds ?? 0) >= 1)).toBe(true);
    expect(await count('job', me.accountId)).toBe(20);
    expect(await count('idempotency_key', me.accountId)).toBe(20);
    const { rows } = await db.owner.query('select waiting from jobs.queue_depth where account_id = $1', [me.accountId]);
    expect(rows).toEqual([{ waiting: 20 }]);
  });

  it('reports a used key before a full queue', async () => {
    const me = someAccount();
    const keys = Array.from({ length: 20 }, () => newUuid());
    await Promise.all(keys.map(async (idempotencyKey) => await submitted(one, me, { idempotencyKey })));
    const again = await one.jobs.submit(me, submissionOf({ idempotencyKey: keys[0]! }));
    const another = await one.jobs.submit(me, submissionOf({ idempotencyKey: newUuid() }));
    expect([codeOf(again), codeOf(another)]).toEqual(['idempotency_key_reuse', 'queue_full']);
  });

  it('keeps one account’s keys apart from another’s', async () => {
    const idempotencyKey = newUuid();
    await submitted(one, someAccount(), { idempotencyKey });
    await submitted(one, someAccount(), { idempotencyKey });
  });

  it('waits for a rival’s open claim: refused while it may commit, tried when it rolled back', async () => {
    const me = someAccount();
    const idempotencyKey = newUuid();
    const client = await db.pool('heddle_jobs').connect();
    await client.query('begin');
    const claim = `insert into jobs.idempotency_key (account_id, key, job_id, claimed_at) values ($1, $2, $3, heddle.clock_now())`;
    await client.query(claim, [me.accountId, idempotencyKey, newUuid()]);
    const neighbour = submitted(one, me, { idempotencyKey: newUuid() });
    expect(codeOf(await one.jobs.submit(me, submissionOf({ idempotencyKey })))).toBe('idempotency_key_reuse');
    await neighbour;
    await client.query('rollback');
    client.release();
    await submitted(one, me, { idempotencyKey });
  });

  it('holds a key for 24 hours by the database clock', async () => {
    const me = someAccount();
    const idempotencyKey = newUuid();
    await submitted(one, me, { idempotencyKey });
    const submit = async (): Promise<string> => codeOf(await one.jobs.submit(me, submissionOf({ idempotencyKey })));
    await db.advanceClock(24 * HOUR - 60_000);
    expect([await one.jobs.isKeyClaimed(me, idempotencyKey), await submit()]).toEqual([true, 'idempotency_key_reuse']);
    await db.advanceClock(61_000);
    expect([await one.jobs.isKeyClaimed(me, idempotencyKey), await submit(), await submit()]).toEqual([
      false,
      'accepted',
      'idempotency_key_reuse',
    ]);
    await db.advanceClock(-24 * HOUR - 1_000);
  });

  it('answers for a commit whose answer was lost', async () => {
    const me = someAccount();
    const pids = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'heddle_jobs' and datname = current_database()`;
    const storm = Array.from({ length: 20 }, async () => await one.jobs.submit(me, submissionOf()));
    await db.owner.query(pids);
    const answers = await Promise.all(storm);
    const created = answers.filter((answer) => answer.ok).length;
    expect(await count('job', me.accountId)).toBe(created);
  });
});
