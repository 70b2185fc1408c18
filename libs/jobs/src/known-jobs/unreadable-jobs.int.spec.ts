import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobId } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { DeadlineEnforcer } from '../enforce-deadlines/deadline-enforcer.js';
import {
  leased,
  leaseRequest,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobPurger } from '../purge-jobs/job-purger.js';
import { writeNewerEvent } from './newer-event.fixture.js';

describe('a job with an event that this build cannot read', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let metrics: MetricsRegistry;
  const logged: string[] = [];

  beforeEach(async () => {
    db = await openDatabase();
    logged.length = 0;
    metrics = new MetricsRegistry();
    const logger = {
      info: () => undefined,
      warn: () => undefined,
      error: (facts: { err?: Error }) => void logged.push(String(facts.err)),
    };
    // Deadlines are enforced only when a test does so.
    one = await openJobs(db, { sweepIntervalMs: 600_000, maxQueueWaitMs: 3_600_000 }, { metrics, logger });
  });
  afterEach(async () => {
    await one.close();
    await db.drop();
  });

  const types = async (jobId: JobId): Promise<readonly string[]> =>
    (
      await db.owner.query<{ type: string }>('select type from jobs.event where stream_id = $1 order by version', [
        jobId,
      ])
    ).rows.map(({ type }) => type);

  it('is read as its rows say, and takes no command: the refusal names the event, the log says it once', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await writeNewerEvent(db, id);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(one.jobs.cancel(me, id)).rejects.toThrow(/is skipped: .*event 2 \(JobNoted, schema version 1\)/);
    }
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('queued');
    expect(await types(id)).toEqual(['JobSubmitted', 'JobNoted']);
    expect(logged.filter((text) => text.includes('is skipped'))).toHaveLength(1);
    expect(await metrics.metrics()).toMatch(/heddle_unreadable_jobs(\{\})? 1/);
  });

  it('keeps no other job from a worker', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await writeNewerEvent(db, id);
    const other = await submitted(one, me);
    expect((await leased(one, me)).jobId).toBe(other.id);
    const none = await one.leases.acquire(
      { ...leaseRequest(me, 'worker-b'), waitMs: 300 },
      new AbortController().signal,
    );
    expect(none).toEqual([]);
    expect(await types(id)).toEqual(['JobSubmitted', 'JobNoted']);
  });

  it('takes no report, which stays with its worker, and keeps no other report from being stored', async () => {
    const me = someAccount();
    await submitted(one, me);
    await submitted(one, me);
    const [lease, other] = [await leased(one, me), await leased(one, me)];
    await writeNewerEvent(db, lease.jobId);
    const reports = [reportOf(lease, 1, succeeded), reportOf(other, 1, succeeded)];
    await expect(one.leases.ingest(reports)).rejects.toThrow(/is skipped/);
    expect(await types(lease.jobId)).toEqual(['JobSubmitted', 'JobLeased', 'JobNoted']);
    expect((await types(other.jobId)).at(-1)).toBe('JobSucceeded');
  });

  it('keeps no other job from its deadline, and no sweep busy', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const other = await submitted(one, me);
    await writeNewerEvent(db, id);
    await db.advanceClock(2 * 3_600_000);
    const deadlines = one.get(DeadlineEnforcer);
    expect(await deadlines.run(Infinity)).toBe(true);
    expect(await types(other.id)).toEqual(['JobSubmitted', 'JobExpired']);
    expect(await types(id)).toEqual(['JobSubmitted', 'JobNoted']);
    expect(await deadlines.run(Infinity)).toBe(false);
  });

  it('is not ended by the purge', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await writeNewerEvent(db, id);
    await db.advanceClock(400 * 24 * 3_600_000);
    await one.get(JobPurger).run();
    expect(await types(id)).toEqual(['JobSubmitted', 'JobNoted']);
  });
});
