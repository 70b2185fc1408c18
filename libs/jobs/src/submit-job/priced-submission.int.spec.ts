import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { checkCredits } from '../check-credits/check-credits.js';
import { creditsOf, entriesOf, priced, sumsOf } from '../jobs-under-test/credits.fixture.js';
import {
  codeOf,
  dropConsistent,
  leaseRequest,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const RUNTIME_MS = 100_000;
/** Reserves 5 + ceil(0.25 x 100). */
const PRICE = { perJob: 5, perSecond: 0.25 };
const RESERVED = 30;

describe('a submission to a deployment with a price', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let other: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(async () => {
    const settings = { queueDepthAccount: 1_000, maxRuntimeMs: RUNTIME_MS };
    [one, other] = [await openJobs(db, settings), await openJobs(db, settings)];
  });
  afterEach(async () => {
    expect((await checkCredits(db.pool(JOBS_ROLE))).problems).toEqual([]);
    await one.close();
    await other.close();
  });
  afterAll(async () => {
    await dropConsistent(db);
  });

  it('reserves the most that the job can cost, with its entry', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, 100);
    const { id } = await submitted(one, me);
    expect(await sumsOf(one, me)).toEqual({ balance: 70, reserved: RESERVED, granted: 100, charged: 0, withdrawn: 0 });
    expect(await entriesOf(one, me)).toMatchObject([
      { kind: 'grant', amount: 100, balance: 100, jobId: null, charged: null, note: null },
      { kind: 'reserve', amount: -RESERVED, balance: 70, jobId: id, charged: null, note: null },
    ]);
  });

  it('is refused without the credits, leaves no trace, and may use its key again after a grant', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, RESERVED - 1);
    const submission = submissionOf({ idempotencyKey: 'again' });
    expect(await one.jobs.submit(me, submission)).toMatchObject({
      ok: false,
      why: 'insufficient_credits',
      rejection: { code: 'insufficient_credits', details: { required: RESERVED, balance: RESERVED - 1 } },
    });
    const traces = ['event', 'job', 'queue', 'idempotency_key'].map(
      (table) => `select from jobs.${table} where account_id = '${me.accountId}'`,
    );
    for (const sql of traces) expect((await db.owner.query(sql)).rowCount).toBe(0);
    expect(await entriesOf(one, me)).toHaveLength(1);
    await creditsOf(one).grant(me.accountId, { amount: 1, note: 'top up' });
    expect((await one.jobs.submit(me, submission)).ok).toBe(true);
    expect(await sumsOf(one, me)).toMatchObject({ balance: 0, reserved: RESERVED });
  });

  it('is told of a used key and of a full queue before it is told of its credits', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, RESERVED);
    await submitted(one, me, { idempotencyKey: 'used' });
    expect(codeOf(await one.jobs.submit(me, submissionOf({ idempotencyKey: 'used' })))).toBe('idempotency_key_reuse');
    expect(codeOf(await one.jobs.submit(me, submissionOf()))).toBe('insufficient_credits');
    const small = await openJobs(db, { queueDepthAccount: 1, maxRuntimeMs: RUNTIME_MS });
    expect(codeOf(await small.jobs.submit(me, submissionOf()))).toBe('queue_full');
    await small.close();
  });

  it('is answered by its own job when it is repeated, and reserves once', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, RESERVED);
    const submission = submissionOf({ idempotencyKey: 'mine' });
    const [first, second] = [await one.jobs.submit(me, submission), await other.jobs.submit(me, submission)];
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(await entriesOf(one, me)).toHaveLength(2);
  });

  it('never overdraws a balance: 200 at once through two replicas', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, 50 * RESERVED + 7);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? one : other).jobs.submit(me, submissionOf())),
    );
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(50);
    expect(codes.filter((code) => code === 'insufficient_credits')).toHaveLength(150);
    expect(await sumsOf(one, me)).toMatchObject({ balance: 7, reserved: 50 * RESERVED });
    const entries = await entriesOf(one, me);
    expect(entries.map(({ entryId }) => entryId)).toEqual(entries.map(({ entryId }) => entryId).sort((a, b) => a - b));
  });

  it('pays the price of its time, in every replica from its change on', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, 1_000);
    await submitted(one, me);
    await submitted(other, me);
    await creditsOf(one).setPrice(me.deploymentId, { perJob: 100 });
    await submitted(other, me);
    await creditsOf(other).setPrice(me.deploymentId, { perJob: 0, perSecond: 0 });
    await submitted(one, me);
    const amounts = (await entriesOf(one, me)).map(({ amount }) => amount);
    expect(amounts).toEqual([1_000, -RESERVED, -RESERVED, -125]);
    expect((await creditsOf(one).pricesOf([me.deploymentId])).get(me.deploymentId)).toEqual({
      perJob: 0,
      perSecond: 0,
    });
  });

  it('costs nothing without a price: no entries, no 402, and the event of a build before prices', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    expect(await entriesOf(one, me)).toEqual([]);
    const { rows } = await db.owner.query('select schema_version from jobs.event where stream_id = $1', [id]);
    expect(rows).toEqual([{ schema_version: 1 }]);
  });

  it('is leased with its reservation where a worker waits', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, 100);
    const waiting = one.leases.acquire(leaseRequest(me), new AbortController().signal);
    await submitted(one, me);
    const [lease] = await waiting;
    await one.leases.ingest([reportOf(lease!, 1, succeeded)]);
    expect(await sumsOf(one, me)).toMatchObject({ reserved: 0, charged: 6 });
  });

  it('is held back by a withdrawal and the other way round: neither takes what the other has', async () => {
    const me = someAccount();
    await priced(one, me, PRICE, 10 * RESERVED);
    const withdrawals = Array.from({ length: 10 }, () =>
      creditsOf(other).withdraw(me.accountId, { amount: RESERVED, note: null }),
    );
    const submissions = Array.from({ length: 10 }, () => one.jobs.submit(me, submissionOf()));
    const answers = [...(await Promise.all(withdrawals)), ...(await Promise.all(submissions))];
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(await sumsOf(one, me)).toMatchObject({ balance: 0 });
  });
});
