import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobLease, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import type { JobsModuleOptions } from '../jobs-module-options.js';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
} from '../jobs-under-test/open-jobs.fixture.js';
import { until, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { RescueGrace } from './rescue-grace.js';

const LEASE_MS = 1_200;
/** As the service runs them, with a shorter lease. */
const SETTINGS = {
  leaseMs: LEASE_MS,
  rescueGraceMs: LEASE_MS,
  rescueToleranceMs: LEASE_MS / 3,
  clockToleranceMs: 300_000,
  sweepIntervalMs: 20,
  retryDelayMs: 20,
};

describe('a lease whose worker renews it', () => {
  let db: TestDatabase;
  const open = new Set<OpenJobs>();
  beforeEach(async () => {
    db = await openDatabase();
  });
  afterEach(async () => {
    await Promise.all([...open].map(async (one) => await one.close()));
    open.clear();
    await dropConsistent(db);
  });

  async function start(
    database: JobsModuleOptions['database'] = db.database,
    logged: string[] = [],
  ): Promise<OpenJobs> {
    const warn = (facts: { reason?: string }, text: string): void => {
      if (facts.reason === 'clock_jump') logged.push(text);
    };
    const logger = { warn, error: () => undefined };
    const one = await openJobs({ database }, SETTINGS, { logger: logger as never });
    open.add(one);
    return one;
  }

  async function stop(one: OpenJobs): Promise<void> {
    open.delete(one);
    await one.close();
  }

  const stateOf = async (one: OpenJobs, lease: JobLease): Promise<string> =>
    (await one.leases.heartbeat('worker-a', [lease]))[0]!.state;

  /** The worker sends heartbeats again after half a lease, for longer than one lease; returns every answer. */
  async function heartbeat(one: OpenJobs, lease: JobLease): Promise<ReadonlySet<string>> {
    const states = new Set<string>();
    await pause(LEASE_MS / 2);
    const deadline = performance.now() + 1.2 * LEASE_MS;
    await until(async () => {
      states.add(await stateOf(one, lease));
      return performance.now() > deadline;
    }, 'more than a lease');
    return states;
  }

  async function running(one: OpenJobs, me: Principal): Promise<JobLease> {
    await submitted(one, me);
    const lease = await leased(one, me);
    expect(await stateOf(one, lease)).toBe('held');
    return lease;
  }

  const rescued = async (one: OpenJobs, me: Principal, { jobId }: JobLease): Promise<boolean> =>
    await until(async () => valueOf(await one.jobs.get(me, jobId)).status === 'queued', 'the rescue');

  it.each([1, -1, 60, -60, 600, -600])('survives a clock of the database that jumps by %d s', async (seconds) => {
    const me = someAccount();
    const one = await start();
    const lease = await running(one, me);
    await db.advanceClock(seconds * 1000);
    expect(await heartbeat(one, lease)).toEqual(new Set(['held']));
    await db.advanceClock(-seconds * 1000);
    expect(await heartbeat(one, lease)).toEqual(new Set(['held']));
    expect(valueOf(await one.jobs.get(me, lease.jobId)).status).toBe('running');
  });

  it('survives many small jumps that add up to more than a lease', async () => {
    const me = someAccount();
    const one = await start();
    const lease = await running(one, me);
    for (let step = 0; step < 5; step++) {
      await db.advanceClock(0.3 * LEASE_MS);
      await pause(60);
    }
    expect(await stateOf(one, lease)).toBe('held');
  });

  it('survives a service that was frozen for longer than the lease', async () => {
    const me = someAccount();
    const one = await start();
    const lease = await running(one, me);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * LEASE_MS);
    expect(await heartbeat(one, lease)).toEqual(new Set(['held']));
  });

  it('survives a database that was away for longer than the lease', async () => {
    const me = someAccount();
    const outage = new Outage(db);
    const one = await start(outage);
    const lease = await running(one, me);
    outage.isAway = true;
    await pause(1.5 * LEASE_MS);
    await expect(stateOf(one, lease)).rejects.toThrow('the database is away');
    outage.isAway = false;
    expect(await heartbeat(one, lease)).toEqual(new Set(['held']));
  });

  it('survives a service that was down for longer than the lease', async () => {
    const me = someAccount();
    const one = await start();
    const lease = await running(one, me);
    await stop(one);
    await db.advanceClock(2 * LEASE_MS);
    const next = await start();
    expect(await heartbeat(next, lease)).toEqual(new Set(['held']));
  });

  it('survives the thaw of a replica that was frozen while another one renewed it', async () => {
    const me = someAccount();
    const outage = new Outage(db);
    const frozen = await start(outage);
    const lease = await running(frozen, me);
    const live = await start();
    outage.isFrozen = true;
    expect(await heartbeat(live, lease)).toEqual(new Set(['held']));
    outage.thaw();
    expect(await heartbeat(live, lease)).toEqual(new Set(['held']));
  });

  it('ends one lease after its worker was heard of last where nothing else is wrong', async () => {
    const me = someAccount();
    const one = await start();
    await pause(LEASE_MS);
    const lease = await running(one, me);
    const heardAt = performance.now();
    await rescued(one, me, lease);
    expect(performance.now() - heardAt).toBeGreaterThan(LEASE_MS - 50);
    expect(await stateOf(one, lease)).toBe('lost');
  });

  it('ends one lease after a jump where its worker is not heard of any more, which is logged once', async () => {
    const me = someAccount();
    const logged: string[] = [];
    const one = await start(undefined, logged);
    const lease = await running(one, me);
    const { rescueGraceMs } = SETTINGS;
    const grace = one.get(RescueGrace);
    // Until its first look at the clock the service cannot know of a jump.
    await until(async () => await Promise.resolve(grace.leftSeconds * 1000 < rescueGraceMs), 'the first look');
    await db.advanceClock(60_000);
    const jumpedAt = performance.now();
    await rescued(one, me, lease);
    expect(performance.now() - jumpedAt).toBeGreaterThan(LEASE_MS - 50);
    expect(logged).toEqual([`lease rescue is paused for ${LEASE_MS / 1000} s: workers renew first`]);
  });
});

async function pause(ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  await until(async () => await Promise.resolve(performance.now() > deadline), 'a while');
}

/** Makes the database unreachable, or withholds its answers, for one service. */
class Outage {
  isAway = false;
  isFrozen = false;
  #thaw: () => void = () => undefined;
  #thawed = new Promise<void>((resolve) => (this.#thaw = resolve));

  constructor(private readonly db: TestDatabase) {}

  thaw(): void {
    this.isFrozen = false;
    this.#thaw();
    this.#thawed = new Promise<void>((resolve) => (this.#thaw = resolve));
  }

  pool(role: string): ReturnType<TestDatabase['pool']> {
    return new Proxy(this.db.database.pool(role), {
      get: (pool, name) => {
        if (name !== 'query') return Reflect.get(pool, name, pool) as unknown;
        return async (query: string, values: unknown[]) => {
          if (this.isAway) throw new Error('the database is away');
          const answer = await pool.query(query, values);
          if (this.isFrozen) await this.#thawed;
          return answer;
        };
      },
    });
  }
}
