import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JobErrorCode, JobLease, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { checkCredits } from '../check-credits/check-credits.js';
import { entriesOf, priced, sumsOf } from '../jobs-under-test/credits.fixture.js';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

/** Ten seconds a credit: the time that a step of a test takes does not change what is charged. */
const PRICE = { perJob: 5, perSecond: 0.1 };
const RUNTIME_MS = 100_000;
const RESERVED = 15;
const RAN_MS = 31_000;
const RAN = 4;

interface Running {
  readonly me: Principal;
  readonly workerId: string;
  readonly lease: JobLease;
}

describe('the end of a job with a price', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let other: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    const settings = { sweepIntervalMs: 20, retryDelayMs: 0, maxRuntimeMs: RUNTIME_MS, leaseMs: 3_600_000 };
    one = await openJobs(db, settings);
    other = await openJobs(db, settings);
  });
  afterEach(async () => {
    expect((await checkCredits(db.pool(JOBS_ROLE))).problems).toEqual([]);
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await dropConsistent(db);
  });

  /** A running job of a new account with 100 credits. A session is one deployment's, so each has a worker of its own. */
  async function started(): Promise<Running> {
    const me = someAccount();
    await priced(one, me, PRICE, 100);
    await submitted(one, me);
    const workerId = `worker of ${me.accountId}`;
    return { me, workerId, lease: await leased(one, me, workerId) };
  }

  /** The same, whose attempt has run for a while. */
  async function running(): Promise<Running> {
    const job = await started();
    await db.advanceClock(RAN_MS);
    return job;
  }

  async function settled(me: Principal): Promise<number> {
    await until(async () => (await entriesOf(one, me)).some(({ kind }) => kind === 'settle'), 'the settle entry');
    const entries = await entriesOf(one, me);
    expect(entries.map(({ kind }) => kind)).toEqual(['grant', 'reserve', 'settle']);
    const { amount, charged } = entries[2]!;
    expect(amount).toBe(RESERVED - charged!);
    expect(await sumsOf(one, me)).toMatchObject({ balance: 100 - charged!, reserved: 0, charged });
    return charged!;
  }

  const failure = (code: JobErrorCode) => {
    const outcome = { kind: 'failed', code, message: 'x', nodeId: null, classType: null, traceback: null } as const;
    return { ...succeeded, outcome };
  };

  it('charges a success by the job and the seconds', async () => {
    const { me, lease, workerId } = await running();
    await one.leases.ingest([reportOf(lease, 1, succeeded, workerId)]);
    expect(await settled(me)).toBe(PRICE.perJob + RAN);
  });

  it.each([
    ['node_execution_error', RAN],
    ['out_of_memory', RAN],
    ['output_limit', RAN],
    ['credential_expired', RAN],
    ['engine_error', 0],
    ['credential_lost', 0],
  ] as const)('charges a failure with %s %d', async (code, charged) => {
    const { me, lease, workerId } = await running();
    await one.leases.ingest([reportOf(lease, 1, failure(code), workerId)]);
    expect(await settled(me)).toBe(charged);
  });

  it('charges a cancel that its worker confirms the seconds', async () => {
    const { me, lease, workerId } = await running();
    await one.jobs.cancel(me, lease.jobId);
    const canceled = { ...succeeded, outcome: { kind: 'canceled' } } as const;
    await one.leases.ingest([reportOf(lease, 1, canceled, workerId)]);
    expect(await settled(me)).toBe(RAN);
  });

  it('charges a cancel that nobody answers the seconds until it is given up', async () => {
    const { me, lease } = await running();
    await one.jobs.cancel(me, lease.jobId);
    await db.advanceClock(61_000);
    expect(await settled(me)).toBe(10);
  });

  it('charges an overrun the maximum runtime', async () => {
    const { me } = await running();
    await db.advanceClock(500_000);
    expect(await settled(me)).toBe(RESERVED - PRICE.perJob);
  });

  it('charges nothing for a job that is canceled or expires in the queue', async () => {
    const waiting = async (): Promise<Principal> => {
      const me = someAccount();
      await priced(one, me, PRICE, 100);
      return me;
    };
    const [me, you] = [await waiting(), await waiting()];
    await one.jobs.cancel(me, (await submitted(one, me)).id);
    expect(await settled(me)).toBe(0);
    await submitted(one, you);
    await db.advanceClock(86_401_000);
    expect(await settled(you)).toBe(0);
  });

  it('charges the attempt that ended the job, not one that was lost', async () => {
    const { me, lease, workerId } = await running();
    const lost = { ...succeeded, outcome: { kind: 'lost', reason: 'crash' } } as const;
    await one.leases.ingest([reportOf(lease, 1, lost, workerId)]);
    expect(await sumsOf(one, me)).toMatchObject({ reserved: RESERVED });
    const second = await leased(one, me, workerId);
    await db.advanceClock(1_000);
    await one.leases.ingest([reportOf(second, 1, succeeded, workerId)]);
    expect(await settled(me)).toBe(PRICE.perJob + 1);
  });

  it('charges nothing for a worker that is lost for good, nor for a cancel behind a lost attempt', async () => {
    const lost = { ...succeeded, outcome: { kind: 'lost', reason: 'crash' } } as const;
    const { me, lease, workerId } = await running();
    let next = lease;
    for (const attempt of [1, 2, 3]) {
      await one.leases.ingest([reportOf(next, 1, lost, workerId)]);
      if (attempt < 3) next = await leased(one, me, workerId);
    }
    expect(await settled(me)).toBe(0);
    const behind = await running();
    await one.leases.ingest([reportOf(behind.lease, 1, lost, behind.workerId)]);
    await one.jobs.cancel(behind.me, behind.lease.jobId);
    expect(await settled(behind.me)).toBe(0);
  });

  it('is settled once, however often and through however many replicas it is reported', async () => {
    const { me, lease, workerId } = await running();
    // As after a crash between the report and its acknowledgement: the worker reports again.
    const report = reportOf(lease, 1, succeeded, workerId);
    await Promise.all([one.leases.ingest([report]), other.leases.ingest([report])]);
    await other.leases.ingest([report]);
    await one.jobs.cancel(me, lease.jobId);
    expect(await settled(me)).toBe(PRICE.perJob + RAN);
  });

  it('keeps the output that is one too many from costing more than its seconds', async () => {
    const { me, lease, workerId } = await running();
    const outputs = Array.from({ length: 1_001 }, (_, n) => outputOf(`9/0/${n}`));
    await one.leases.ingest(
      outputs.map((output, n) => reportOf(lease, n + 1, { kind: 'output_committed', output }, workerId)),
    );
    expect(valueOf(await one.jobs.get(me, lease.jobId)).error).toMatchObject({ code: 'output_limit' });
    expect(await settled(me)).toBe(RAN);
  });

  it('charges many ends of several accounts in one statement, each its own', async () => {
    const jobs = await Promise.all(Array.from({ length: 6 }, started));
    await db.advanceClock(RAN_MS);
    await Promise.all(jobs.map(({ lease, workerId }) => one.leases.ingest([reportOf(lease, 1, succeeded, workerId)])));
    for (const { me } of jobs) expect(await settled(me)).toBe(PRICE.perJob + RAN);
  });
});
