import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOB_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import { JOB_EVENT_FORMAT } from '@heddle/jobs-domain';
import type { JobMessage } from '@heddle/contracts-messages';
import { LogReader } from '@heddle/platform-event-log';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { JOBS_ROLE, JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { writeNewerEvent } from '../known-jobs/newer-event.fixture.js';
import { openDatabase, openJobs, someAccount, submitted, until } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { ReplicaTable } from '../notify-peers/replicas.js';

describe('the relay before an event that its build cannot read', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let metrics: MetricsRegistry;
  const received: string[] = [];
  const logged: string[] = [];
  const checks: { readonly name: string; readonly check: () => string | null }[] = [];

  const cursor = async (): Promise<
    { readonly seq: string; readonly free: boolean; readonly holder: string } | undefined
  > =>
    (
      await db.owner.query<{ seq: string; free: boolean; holder: string }>(
        `select seq, holder, lease_until <= heddle.clock_now() as free from jobs.relay_cursor where consumer = 'jobs-relay'`,
      )
    ).rows[0];
  const reason = (): string | null => checks.find(({ name }) => name === 'job events')?.check() ?? null;
  const stopped = async (): Promise<string> =>
    await until(async () => await Promise.resolve(reason()), 'the relay saying that it stopped');
  const sequenced = async (count: number): Promise<void> => {
    const sql = 'select count(*)::int as count from jobs.event_seq';
    await until(
      async () => (await db.owner.query<{ count: number }>(sql)).rows[0]?.count === count,
      'the log being sequenced',
    );
  };

  beforeEach(async () => {
    db = await openDatabase();
    received.length = logged.length = checks.length = 0;
    metrics = new MetricsRegistry();
    const bus = new MemoryMessageBus();
    await bus.subscribe(JOB_EVENTS_TOPIC, 'test', async (batch) => {
      received.push(...batch.map(({ payload }) => (payload as JobMessage).type));
      await Promise.resolve();
    });
    const logger = {
      info: () => undefined,
      warn: () => undefined,
      error: (_: unknown, text?: string) => void logged.push(text ?? ''),
    };
    one = await openJobs(db, { peerHeartbeatMs: 20 }, { bus, metrics, logger, address: 'old', readiness: checks });
  });
  afterEach(async () => {
    await one.close();
    await db.drop();
  });

  it('stops there, says which event it is and what to do, once, and gives its lease away', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await writeNewerEvent(db, id);
    await submitted(one, me);
    await sequenced(3);
    expect(await stopped()).toMatch(/event 2 \(JobNoted, schema version 1, job .*\).*Start a replica of the build/);
    expect(received).toEqual(['JobSubmitted']);
    await until(async () => (await cursor())?.free === true, 'the lease being free');
    expect((await cursor())?.seq).toBe('1');
    expect(await metrics.metrics()).toMatch(/heddle_relay_stopped(\{\})? 1/);
    // It polls again and logs nothing new.
    await db.owner.query(`update jobs.relay_cursor set holder = 'somebody'`);
    await until(async () => (await cursor())?.holder === one.get(ReplicaTable).id, 'another look');
    await until(async () => (await cursor())?.free, 'the lease being free again');
    expect(logged.filter((text) => text.includes('JobNoted'))).toHaveLength(1);
    expect((await cursor())?.seq).toBe('1');
    expect(received).toEqual(['JobSubmitted']);
  });

  it('leaves the cursor to a live replica that reads more, and goes on behind it when that one is gone', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    await writeNewerEvent(db, id);
    await sequenced(2);
    await stopped();
    const newer = newUuid();
    await db.owner.query(`insert into jobs.replica (id, address, reads) values ($1, 'new', $2)`, [
      newer,
      JOB_EVENT_FORMAT + 1,
    ]);
    await one.get(ReplicaTable).look();
    expect(reason()).toBeNull();
    expect(await metrics.metrics()).toMatch(/heddle_relay_stopped(\{\})? 0/);
    const passed: string[] = [];
    const reader = new LogReader({
      pool: db.pool(JOBS_ROLE),
      schema: JOBS_SCHEMA,
      consumer: 'jobs-relay',
      netMs: 10,
      handle: async (events) => {
        passed.push(...events.map(({ type }) => type));
        await Promise.resolve();
      },
    });
    reader.start();
    await until(async () => await Promise.resolve(passed.length === 1), 'the newer relay');
    expect(passed).toEqual(['JobNoted']);
    await reader.stop();
    await db.owner.query('delete from jobs.replica where id = $1', [newer]);
    await submitted(one, me);
    await until(async () => await Promise.resolve(received.length === 2), 'the relay going on');
    expect(received).toEqual(['JobSubmitted', 'JobSubmitted']);
    expect(reason()).toBeNull();
  });
});
