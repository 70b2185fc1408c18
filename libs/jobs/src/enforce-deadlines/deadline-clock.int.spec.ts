import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
} from '../jobs-under-test/open-jobs.fixture.js';
import { succeeded, until, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobPurger } from '../purge-jobs/job-purger.js';
import { DeadlineClock } from './deadline-clock.js';
import { DeadlineEnforcer } from './deadline-enforcer.js';

const HOUR_MS = 3_600_000;

describe('a clock of the database that jumps', () => {
  let db: TestDatabase;
  let one: OpenJobs | undefined;
  let logged: string[];
  beforeEach(async () => {
    db = await openDatabase();
    logged = [];
  });
  afterEach(async () => {
    await one?.close();
    await dropConsistent(db);
  });

  async function open(clockToleranceMs: number, retentionMs = HOUR_MS / 2, leaseMs = 30_000): Promise<OpenJobs> {
    const logger = { warn: (_: object, text: string) => void logged.push(text), error: () => undefined };
    const lease = { leaseMs, rescueGraceMs: leaseMs, rescueToleranceMs: leaseMs / 3 };
    const settings = { clockToleranceMs, sweepIntervalMs: 20, retryDelayMs: 20, retentionMs, ...lease };
    one = await openJobs(db, settings, { logger: logger as never });
    await one.get(DeadlineClock).look();
    return one;
  }

  it.each([HOUR_MS, -HOUR_MS])('by %d ms ends no lease, no job and no retention, and is logged', async (jumpMs) => {
    const jobs = await open(300_000);
    const me = someAccount();
    const { id } = await submitted(jobs, me);
    const lease = await leased(jobs, me);
    const waiting = await submitted(jobs, me);
    await db.advanceClock(jumpMs);
    const alarm = 'the clock of the database jumped: deadlines and purge are suspended';
    await until(async () => await Promise.resolve(logged.includes(alarm)), 'the alarm');
    const { readinessCheck } = jobs.get(DeadlineClock);
    expect(readinessCheck.check()).toMatch(
      jumpMs > 0 ? /^it is off by 36\d\d s: deadlines/ : /^it is off by -3\d\d\d s/,
    );
    expect(await jobs.leases.heartbeat('worker-a', [lease])).toMatchObject([{ state: 'held' }]);
    await db.advanceClock(-jumpMs);
    await until(async () => await jobs.get(DeadlineClock).look(), 'trust');
    expect(readinessCheck.check()).toBeNull();
    expect(await jobs.leases.heartbeat('worker-a', [lease])).toMatchObject([{ state: 'held' }]);
    expect(valueOf(await jobs.jobs.get(me, id)).status).toBe('running');
    expect(valueOf(await jobs.jobs.get(me, waiting.id)).status).toBe('queued');
  });

  it('between the look at it and the sweep ends nothing', async () => {
    one = await openJobs(db, { retentionMs: HOUR_MS / 2, sweepIntervalMs: HOUR_MS, clockToleranceMs: 300_000 });
    const me = someAccount();
    const ended = await submitted(one, me);
    const last = await leased(one, me);
    await one.leases.ingest([reportOf(last, 1, succeeded)]);
    const running = await submitted(one, me);
    await leased(one, me);
    expect(await one.get(DeadlineClock).look()).toBe(true);
    await db.advanceClock(HOUR_MS);
    const { trustedUntilMs } = one.get(DeadlineClock);
    expect(await one.get(DeadlineEnforcer).run(trustedUntilMs)).toBe(false);
    expect(await one.get(JobPurger).run(trustedUntilMs)).toBe(false);
    await db.advanceClock(-HOUR_MS);
    expect(valueOf(await one.jobs.get(me, ended.id)).status).toBe('succeeded');
    expect(valueOf(await one.jobs.get(me, running.id)).status).toBe('running');
  });

  it.each([HOUR_MS, -HOUR_MS])(
    'by %d ms and back leaves what was leased meanwhile its whole runtime',
    async (jumpMs) => {
      const jobs = await open(300_000, 2 * HOUR_MS);
      const me = someAccount();
      await db.advanceClock(jumpMs);
      await until(async () => await Promise.resolve(logged.length > 0), 'the alarm');
      const { id } = await submitted(jobs, me);
      await leased(jobs, me);
      await db.advanceClock(-jumpMs);
      await Promise.all(Array.from({ length: 4 }, async () => await jobs.get(DeadlineClock).look()));
      await until(async () => await jobs.get(DeadlineClock).look(), 'trust');
      expect(valueOf(await jobs.jobs.get(me, id)).status).toBe('running');
      const read = async (): Promise<{ readonly left: number; readonly lease: number }> => {
        const { rows } = await db.owner.query<{ left: number; lease: number }>(
          `select extract(epoch from attempt_deadline - heddle.clock_now())::float8 as left,
              extract(epoch from lease_until - heddle.clock_now())::float8 as lease from jobs.queue where job_id = $1`,
          [id],
        );
        return rows[0]!;
      };
      // Another look may have seen the jump first, and still be renewing the leases.
      await until(async () => Math.abs((await read()).lease) < 60, 'the renewed lease');
      const { left, lease } = await read();
      expect(left).toBeGreaterThan(HOUR_MS / 1000 - 60);
      expect(left).toBeLessThanOrEqual(HOUR_MS / 1000);
      expect(lease).toBeGreaterThan(0);
    },
  );

  it('by an hour and back lets what was queued meanwhile run at once', async () => {
    const jobs = await open(300_000, 2 * HOUR_MS);
    const me = someAccount();
    await db.advanceClock(HOUR_MS);
    await until(async () => await Promise.resolve(logged.length > 0), 'the alarm');
    const { id } = await submitted(jobs, me);
    await db.advanceClock(-HOUR_MS);
    await until(async () => await jobs.get(DeadlineClock).look(), 'trust');
    await leased(jobs, me);
    expect(valueOf(await jobs.jobs.get(me, id)).status).toBe('running');
  });

  it('is believed again where it stays, and a lease that ran out by it is rescued then', async () => {
    const jobs = await open(400, HOUR_MS / 2, 1_000);
    const me = someAccount();
    const { id } = await submitted(jobs, me);
    await leased(jobs, me);
    await db.advanceClock(60_000);
    await until(async () => await Promise.resolve(logged.length > 0), 'the alarm');
    await until(async () => valueOf(await jobs.jobs.get(me, id)).status === 'queued', 'the rescue');
    expect(logged.length).toBeGreaterThanOrEqual(1);
  });

  it('is wrong at the start where it is behind the log', async () => {
    const jobs = await open(300_000);
    await submitted(jobs, someAccount());
    await until(async () => {
      const { rows } = await db.owner.query<{ seq: string }>('select seq from jobs.seq_cursor');
      return rows[0]?.seq === '1';
    }, 'the log');
    await jobs.close();
    await db.advanceClock(-HOUR_MS);
    const next = await openJobs(db, { clockToleranceMs: 300_000 });
    one = next;
    expect(await next.get(DeadlineClock).look()).toBe(false);
    await db.advanceClock(HOUR_MS);
    await until(async () => await next.get(DeadlineClock).look(), 'trust');
  });
});
