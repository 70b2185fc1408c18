import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { JOB_EVENTS_TOPIC, LOG_BYTES, LOGS_PORT, newUuid } from '@heddle/contracts-messages';
import type {
  AccountId,
  CapturedLog,
  DeploymentId,
  CaptureVerdict,
  JobId,
  LoggedAttempt,
  LogsPort,
  Principal,
} from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake, LeaseAuthorityFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogExpirer } from './expire-logs/log-expirer.js';
import { LogsModule } from './logs.module.js';
import { LOGS_MIGRATIONS } from './logs-schema/logs-migrations.js';

const HOUR_MS = 3_600_000;

describe('the logs service', () => {
  const bus = new MemoryMessageBus();
  const metrics = new MetricsRegistry();
  const alice = somebody();
  const leases = new LeaseAuthorityFake();
  let db: TestDatabase;
  let logs: LogsPort;
  let expirer: LogExpirer;
  let close: () => Promise<void>;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [LOGS_MIGRATIONS] });
    const module = LogsModule.register({
      database: db.database,
      metrics,
      imports: [jobsServiceFake(undefined, leases)],
    });
    const app = await NestFactory.createMicroservice(module, {
      strategy: new MessageBusStrategy(bus, 'logs'),
      logger: false,
    });
    await app.listen();
    logs = app.get<LogsPort>(LOGS_PORT);
    expirer = app.get(LogExpirer);
    close = async () => await app.close();
  });
  afterAll(async () => {
    await close();
    await bus.close();
    await db.drop();
  });

  it('returns what was captured, byte for byte, to its account alone', async () => {
    const log = captured({ text: 'first\n\u0000 zero, \u{1f9f5} thread\r\n' });
    expect(await capture(log)).toBe('kept');
    const { text } = log;
    expect(await logs.read(alice, ended(log))).toMatchObject({
      ok: true,
      value: { text, truncated: false, complete: true },
    });
    const deploymentId = newUuid() as DeploymentId;
    for (const other of [somebody(), { ...somebody(), deploymentId: alice.deploymentId }, { ...alice, deploymentId }]) {
      expect(await logs.read(other, ended(log))).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
    }
    expect(await logs.read(alice, ended(captured()))).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
  });

  it('keeps the last MiB, cut between characters, and says so [LG07]', async () => {
    const log = captured({ text: `gone${'\u00e9'.repeat(LOG_BYTES / 2)}x` });
    await capture(log);
    const answer = await logs.read(alice, ended(log));
    if (!answer.ok) throw new Error(answer.rejection.message);
    const { text, truncated } = answer.value;
    expect([truncated, text.length, text.at(0), text.at(-1)]).toEqual([true, LOG_BYTES / 2, '\u00e9', 'x']);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LOG_BYTES);
  });

  it('recognises a repetition, takes more of an attempt until it is complete, and nothing of an older attempt', async () => {
    const log = captured({ text: 'a', complete: false, fence: 2 });
    expect(await capture(log)).toBe('kept');
    expect(await capture(log)).toBe('known');
    expect(await capture({ ...log, text: 'ab' })).toBe('kept');
    expect(await capture({ ...log, text: 'abc', complete: true })).toBe('kept');
    expect(await capture({ ...log, text: 'other' })).toBe('known');
    expect(await capture({ ...log, fence: 1, text: 'older' })).toBe('late');
    expect(await logs.read(alice, ended(log))).toMatchObject({ value: { text: 'abc', complete: true } });
    expect(await capture({ ...log, fence: 3, text: 'newer' })).toBe('kept');
    expect(await logs.read(alice, ended({ ...log, fence: 3 }))).toMatchObject({ value: { text: 'newer' } });
    expect(await metrics.metrics()).toContain('heddle_execution_logs_refused_total 1\n');
  });

  it('lets nobody overwrite the log of a foreign job', async () => {
    const log = captured({ text: 'mine' });
    expect(await logs.read(somebody(), { ...ended(log), fence: 9 })).toMatchObject({ ok: false });
    expect(await capture(log)).toBe('kept');
    expect(await capture({ ...log, fence: 9, text: 'theirs' }, somebody())).toBe('late');
    expect(await logs.read(alice, ended(log))).toMatchObject({ value: { text: 'mine' } });
  });

  it('keeps one of many captures that come at once', async () => {
    const log = captured();
    const texts = Array.from({ length: 20 }, (_, at) => `attempt text ${at}`);
    const verdicts = await Promise.all(texts.map(async (text) => await capture({ ...log, text })));
    expect(verdicts.filter((verdict) => verdict === 'kept')).toHaveLength(1);
    expect(await logs.read(alice, ended(log))).toMatchObject({ value: { text: texts[verdicts.indexOf('kept')] } });
  });

  it('deletes the log of a purged job, and no other', async () => {
    const [purged, stays] = [captured(), captured()];
    await Promise.all([capture(purged), capture(stays)]);
    let seq = 0;
    const publish = async (type: string, { jobId }: CapturedLog): Promise<void> => {
      const payload = { jobId, type };
      await bus.publish(JOB_EVENTS_TOPIC, [
        { key: jobId, id: newUuid(), type, headers: { seq: String(++seq) }, payload },
      ]);
    };
    await publish('JobSucceeded', stays);
    await publish('JobPurged', purged);
    await publish('JobPurged', purged);
    expect(await logs.read(alice, ended(purged))).toMatchObject({ ok: false });
    expect(await logs.read(alice, ended(stays))).toMatchObject({ ok: true });
  });

  it('shows and takes no log after the expiry of its job, and deletes it although no message came [LG05]', async () => {
    const log = captured();
    const expiresAt = inHours(1);
    await db.pool('heddle_logs').query('delete from logs.execution_log where absent');
    await capture(log, alice, expiresAt);
    await db.advanceClock(1.5 * HOUR_MS);
    expect(await logs.read(alice, ended(log))).toMatchObject({ ok: false });
    expect(await capture({ ...log, fence: 5 }, alice, expiresAt)).toBe('late');
    await db.advanceClock(HOUR_MS);
    expect(await expirer.expire()).toBe(1);
    expect(await expirer.expire()).toBe(0);
  });

  it('returns the log of the attempt and the end that were stored, and of no other', async () => {
    const other = captured({ endedAs: 'engine_error', fence: 2 });
    await capture(other);
    expect(await logs.read(alice, { ...ended(other), fence: 3 })).toMatchObject({ ok: false });
    const mine = captured({ endedAs: 'engine_error' });
    await capture(mine);
    expect(await logs.read(alice, ended(mine))).toMatchObject({ ok: true });
    expect(await logs.read(alice, { ...ended(mine), endedAs: 'succeeded' })).toMatchObject({ ok: false });
    // The worker died after its capture, and the job ended otherwise: now there is no log.
    expect(await logs.read(alice, ended(mine))).toMatchObject({ ok: false });
  });

  it('has no log of an ended job once it was asked for it in vain, whatever comes late (api-v2, States and transitions) [LG04]', async () => {
    const log = captured({ fence: 2 });
    expect(await logs.read(alice, ended(log))).toMatchObject({ ok: false });
    expect(await capture(log)).toBe('late');
    expect(await capture({ ...log, fence: 1 })).toBe('late');
    expect(await logs.read(alice, ended(log))).toMatchObject({ ok: false });
    const once = captured();
    const [verdict, ...answers] = await Promise.all([
      capture(once),
      ...Array.from({ length: 20 }, async () => await logs.read(alice, ended(once))),
    ]);
    const later = await logs.read(alice, ended(once));
    expect(later.ok).toBe(verdict === 'kept');
    // Nobody who was told that there is none would find one later.
    if (later.ok) expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('reads nothing of other schemas and owns nothing of its own', async () => {
    const pool = db.pool('heddle_logs');
    await expect(pool.query('truncate logs.execution_log')).rejects.toThrow(/permission denied/);
    await expect(pool.query('drop table logs.execution_log')).rejects.toThrow(/owner/);
    await expect(pool.query('create table logs.more (id int)')).rejects.toThrow(/permission denied/);
  });

  /** Captures a log under a lease of its job, which the account holds. */
  async function capture(log: CapturedLog, owner = alice, jobExpiresAt = inHours(24)): Promise<CaptureVerdict> {
    leases.lend(owner, log, jobExpiresAt);
    return await logs.capture(log);
  }
});

function captured(more: Partial<CapturedLog> = {}): CapturedLog {
  const jobId = newUuid() as JobId;
  return {
    jobId,
    fence: 1,
    workerId: 'worker-a',
    text: 'text',
    truncated: false,
    complete: true,
    endedAs: 'succeeded',
    ...more,
  };
}

const ended = ({ jobId, fence, endedAs }: CapturedLog): LoggedAttempt => ({
  jobId,
  fence,
  endedAs: endedAs ?? 'succeeded',
});

const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

function somebody(): Principal {
  return { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
}
