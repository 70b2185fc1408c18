import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOB_EVENT_FORMAT } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { openDatabase, openJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { FormatNotAllowedError, LogFormat, LogFormatTooNewError, unreadableLogFormat } from './log-format.js';
import { ReplicaTable } from './replicas.js';

/** A format that this build does not read yet: a log without events starts with the newest one that it reads. */
const NEXT = JOB_EVENT_FORMAT + 1;
/** More than enough for the floor to rise. */
const LOOKS = 40;

describe('the newest format of the log that may be written', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openDatabase();
  });
  afterEach(async () => await db.drop());

  function replica(
    reads: number,
    address = `replica-${newUuid()}`,
  ): { readonly format: LogFormat; readonly row: ReplicaTable } {
    const format = new LogFormat(db.pool(JOBS_ROLE), reads);
    // Every look is a heartbeat.
    return { format, row: new ReplicaTable(db.pool(JOBS_ROLE), address, 0, format) };
  }
  const floor = async (): Promise<number | undefined> =>
    (await db.owner.query<{ floor: number }>('select floor from jobs.log_format')).rows[0]?.floor;

  it('rises when every live replica reads it and did so for a while', async () => {
    const [one, other] = [replica(NEXT), replica(NEXT + 1)];
    await one.row.join();
    await other.row.join();
    await one.row.look();
    expect(await floor()).toBe(JOB_EVENT_FORMAT);
    for (let look = 0; look < LOOKS; look++) {
      await other.row.look();
      await one.row.look();
    }
    expect(await floor()).toBe(NEXT);
    expect(await unreadableLogFormat(db.pool(JOBS_ROLE))).toMatchObject({ floor: NEXT });
    expect(await unreadableLogFormat(db.pool(JOBS_ROLE), NEXT)).toBeNull();
    expect([one.format.floor, other.format.floor]).toEqual([NEXT, NEXT]);
  });

  it('is the newest of this build where the log has no events, and no build before it has to read them', async () => {
    expect(await floor()).toBe(JOB_EVENT_FORMAT);
  });

  it('is held down by one row of an old build, which says nothing, and rises when that one is gone', async () => {
    const one = replica(NEXT);
    await one.row.join();
    const heartbeat = `insert into jobs.replica as r (id, address) values ('00000000-0000-0000-0000-00000000000a', 'old')
                  on conflict (id) do update set beat = r.beat + 1`;
    for (let look = 0; look < LOOKS; look++) {
      await db.owner.query(heartbeat);
      await one.row.look();
    }
    expect(await floor()).toBe(JOB_EVENT_FORMAT);
    // It sends no more heartbeats: ten looks later it is gone.
    for (let look = 0; look < LOOKS + 10; look++) await one.row.look();
    expect(await floor()).toBe(NEXT);
  });

  it('is judged again under its lock: a replica that comes at the last moment holds it down', async () => {
    const late = await db.owner.connect();
    try {
      await late.query('begin; select from jobs.log_format for share');
      const raised = db.pool(JOBS_ROLE).query<{ floor: number }>(`select jobs.raise_log_format(${NEXT}) as floor`);
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await db.owner.query(waits)).rowCount).toBe(1);
      await late.query(`insert into jobs.replica (id, address) values (gen_random_uuid(), 'late'); commit`);
      expect((await raised).rows).toEqual([{ floor: JOB_EVENT_FORMAT }]);
    } finally {
      late.release(true);
    }
  });

  it('never falls, and refuses the start of a build that reads less, with what to do', async () => {
    const one = replica(NEXT);
    await one.row.join();
    for (let look = 0; look < LOOKS; look++) await one.row.look();
    await one.row.leave();
    const old = replica(JOB_EVENT_FORMAT);
    await expect(old.row.join()).rejects.toThrow(LogFormatTooNewError);
    await expect(old.row.join()).rejects.toThrow(
      `has events of format ${NEXT}, and this build of Heddle reads up to format ${JOB_EVENT_FORMAT}. Start a build that reads this format`,
    );
    expect(await floor()).toBe(NEXT);
    // The start of the whole service.
    await expect(openJobs(db)).rejects.toThrow(LogFormatTooNewError);
  });

  it('holds the log: what is above it is not written', () => {
    const format = new LogFormat(db.pool(JOBS_ROLE), 2, (type) => (type === 'JobLeased' ? 2 : 1));
    expect([format.allows('JobSubmitted'), format.allows('JobLeased')]).toEqual([true, false]);
    expect(() => format.assertAllowed(['JobSubmitted'])).not.toThrow();
    expect(() => format.assertAllowed(['JobSubmitted', 'JobLeased'])).toThrow(FormatNotAllowedError);
  });
});
