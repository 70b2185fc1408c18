import { JOB_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import type { CaptureVerdict, CapturedLog } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captured, ended, HOUR_MS, inHours, openLogs, somebody } from './logs-under-test.fixture.js';
import type { LogsUnderTest } from './logs-under-test.fixture.js';

describe('the logs service', () => {
  const alice = somebody();
  let here: LogsUnderTest;
  beforeAll(async () => {
    here = await openLogs();
  });
  afterAll(async () => await here.close());
  const capture = (log: CapturedLog, owner = alice, jobExpiresAt?: string): Promise<CaptureVerdict> =>
    here.capture(log, owner, jobExpiresAt);

  it('deletes the log of a purged job, and no other', async () => {
    const [purged, stays] = [captured(), captured()];
    await Promise.all([capture(purged), capture(stays)]);
    let seq = 0;
    const publish = async (type: string, { jobId }: CapturedLog): Promise<void> => {
      const payload = { jobId, type };
      await here.bus.publish(JOB_EVENTS_TOPIC, [
        { key: jobId, id: newUuid(), type, headers: { seq: String(++seq) }, payload },
      ]);
    };
    await publish('JobSucceeded', stays);
    await publish('JobPurged', purged);
    await publish('JobPurged', purged);
    expect(await here.logs.read(alice, ended(purged))).toMatchObject({ ok: false });
    expect(await here.logs.read(alice, ended(stays))).toMatchObject({ ok: true });
  });

  it('shows and takes no log after the expiry of its job, and deletes it although no message came [LG05]', async () => {
    const log = captured();
    const expiresAt = inHours(1);
    await here.db.pool('heddle_logs').query('delete from logs.execution_log where absent');
    await capture(log, alice, expiresAt);
    await here.db.advanceClock(1.5 * HOUR_MS);
    expect(await here.logs.read(alice, ended(log))).toMatchObject({ ok: false });
    expect(await capture({ ...log, fence: 5 }, alice, expiresAt)).toBe('late');
    await here.db.advanceClock(HOUR_MS);
    expect(await here.expirer.expire()).toBe(1);
    expect(await here.expirer.expire()).toBe(0);
  });

  it('reads nothing of other schemas and owns nothing of its own', async () => {
    const pool = here.db.pool('heddle_logs');
    await expect(pool.query('truncate logs.execution_log')).rejects.toThrow(/permission denied/);
    await expect(pool.query('drop table logs.execution_log')).rejects.toThrow(/owner/);
    await expect(pool.query('create table logs.more (id int)')).rejects.toThrow(/permission denied/);
  });
});
