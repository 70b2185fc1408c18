import { BackgroundLogger } from '@heddle/platform-database';
import { JOB_LOG_PORT, newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLogPort, Principal } from '@heddle/contracts-messages';
import { LogReader, readFrom, verifyLog } from '@heddle/platform-event-log';
import type { SequencedEvent } from '@heddle/platform-event-log';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { Logger } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  leased,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobPurger } from '../purge-jobs/job-purger.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { replayLog } from '../replay-log/replay-log.js';
import { JobsSettings } from '../settings.js';
import { AgeLog } from './age-log.js';
import { LogCheckpoints } from './log-checkpoints.js';
import { LogPartitions } from './log-partitions.js';

const DAY_MS = 86_400_000;
const RETENTION_MS = 1_000_000;

describe('a partition of the log', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let ageLog: AgeLog;
  let me: Principal;
  let purged: JobId;
  let live: JobId;
  /** Partitions end with the week, so this is three to ten days ahead. */
  let firstEndsMs: number;
  beforeEach(async () => {
    db = await openDatabase();
    // The clock moves by weeks; neither a deadline nor the service's own purge may add an event.
    const patient = { leaseMs: 400 * DAY_MS, maxRuntimeMs: 400 * DAY_MS, sweepIntervalMs: DAY_MS };
    one = await openJobs(db, { retentionMs: RETENTION_MS, ...patient });
    const log = new BackgroundLogger(null);
    const pool = db.pool('heddle_jobs');
    // A separate instance: the tests run each turn themselves, and each turn writes a checkpoint.
    ageLog = new AgeLog(pool, new LogCheckpoints(pool, null, log), new JobsSettings({ checkpointMs: 0 }), log);
    me = someAccount();
    purged = await purgedJob();
    await all();
    await age();
    const { rows } = await db.owner.query<{ end_ms: string }>(
      `select ('x' || left(replace(to_id::text, '-', ''), 12))::bit(48)::bigint as end_ms from jobs.event_partition where name = 'event_first'`,
    );
    firstEndsMs = Number(rows[0]!.end_ms);
    live = newUuid(firstEndsMs + 5 * DAY_MS) as JobId;
    valueOf(await one.jobs.submit(me, submissionOf({ jobId: live })));
    await all();
    return async () => {
      await one.close();
      await db.drop();
    };
  });

  async function purgedJob(): Promise<JobId> {
    const { id } = await submitted(one, me, { requestId: 'request-\u00e9' });
    const lease = await leased(one, me);
    await one.leases.ingest([
      reportOf(lease, 1, { kind: 'output_committed', output: outputOf('9/0/0') }),
      reportOf(lease, 2, succeeded),
    ]);
    await db.advanceClock(RETENTION_MS);
    // On a busy machine the service's first round may have the job in its hands.
    await until(async () => {
      await one.get(JobPurger).run();
      const isPurged = `select from jobs.event where stream_id = $1 and type = 'JobPurged'`;
      return (await db.owner.query(isPurged, [id])).rowCount === 1;
    }, 'the purge');
    return id as JobId;
  }
  const age = async (): Promise<boolean> => await ageLog.run();
  /** Waits until every event is numbered and relayed. */
  const all = async (): Promise<void> => {
    await until(async () => {
      const { rows } = await db.owner.query<{ done: boolean }>(
        `select (select count(*) from jobs.event) = c.seq and coalesce((select min(seq) from jobs.relay_cursor), 0) = c.seq as done from jobs.seq_cursor c`,
      );
      return rows[0]!.done;
    }, 'the numbers');
  };
  const numbers = async (): Promise<readonly number[]> =>
    (await db.owner.query<{ seq: string }>('select seq from jobs.event_seq order by seq')).rows.map(({ seq }) =>
      Number(seq),
    );
  const noteOf = async (name: string): Promise<object | undefined> =>
    (
      await db.owner.query<object>(
        `select detached_at is not null as detached, first_seq::int, last_seq::int, events::int from jobs.event_partition where name = $1`,
        [name],
      )
    ).rows[0];
  /** The time of the first partition is past, that of the one with the live job is not. */
  const past = async (): Promise<void> => await db.advanceClock(firstEndsMs + DAY_MS - Date.now());
  /** The part of an event that its link contains. */
  const shown = (events: readonly SequencedEvent[]): readonly object[] =>
    events.map((event) => ({ ...event, data: null, dataDigest: null, status: null, traceparent: null }));

  it('leaves when its time is past and all of its jobs are purged, and its events stay as links in a chain that holds', async () => {
    const before = await readFrom(db.owner, 'jobs', 0n, 100);
    expect(await age()).toBe(false);
    await past();
    // Numbers stay while a consumer has not read them.
    await db.owner.query(`insert into jobs.relay_cursor values ('slow', 5, 1, 'x', '-infinity')`);
    expect(await age()).toBe(true);
    expect(await noteOf('event_first')).toEqual({ detached: true, first_seq: 1, last_seq: 5, events: 5 });
    expect((await db.owner.query(`select from jobs.event where stream_id = $1`, [purged])).rowCount).toBe(0);
    expect((await db.owner.query(`select from jobs.event_first where stream_id = $1`, [purged])).rowCount).toBe(5);
    await db.owner.query('delete from jobs.checkpoint');
    const after = await readFrom(db.owner, 'jobs', 0n, 100);
    expect(after.length).toBe(before.length - 5 + after.filter(({ data }) => data === null).length);
    expect(shown(after)).toEqual(shown(before.slice(-after.length)));
  });

  it('keeps numbers, links and chain up to the next checkpoint, dense for every reader', async () => {
    const before = await readFrom(db.owner, 'jobs', 0n, 100);
    await past();
    await db.owner.query('delete from jobs.checkpoint where seq < 6');
    expect(await age()).toBe(true);
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6]);
    const after = await readFrom(db.owner, 'jobs', 0n, 100);
    expect(shown(after)).toEqual(shown(before));
    expect(after.map(({ data }) => data === null)).toEqual([true, true, true, true, true, false]);
    expect(await verifyLog(db.owner, 'jobs')).toMatchObject({ events: 6n, faults: [] });
    const page = await one.get<JobLogPort>(JOB_LOG_PORT).messagesAfter(3, 100);
    expect(page.after).toBe(before[2]!.eventId);
    expect(page.messages.map(({ seq, message }) => [seq, message.type, message.status])).toEqual([
      [4, 'JobSucceeded', 'succeeded'],
      [5, 'JobPurged', 'expired'],
      [6, 'JobSubmitted', 'queued'],
    ]);
  });

  it('gives its numbers to the checkpoint behind it: who begins at the beginning begins there', async () => {
    await past();
    expect(await age()).toBe(true);
    expect(await numbers()).toEqual([6]);
    const { rows: kept } = await db.owner.query('select seq::int from jobs.checkpoint order by seq desc limit 2');
    expect(kept).toEqual([{ seq: 6 }, { seq: 5 }]);
    expect(await verifyLog(db.owner, 'jobs')).toMatchObject({ events: 1n, firstSeq: 6n, faults: [] });
    const page = await one.get<JobLogPort>(JOB_LOG_PORT).messagesAfter(0, 100);
    expect(page.messages.map(({ seq }) => seq)).toEqual([6]);
    const seen: number[] = [];
    const handle = async (events: readonly SequencedEvent[]): Promise<void> => {
      seen.push(...events.map(({ seq }) => Number(seq)));
      await Promise.resolve();
    };
    const reader = new LogReader({ pool: db.pool('heddle_jobs'), schema: 'jobs', consumer: 'new', handle });
    reader.start();
    await until(async () => await Promise.resolve(seen.length === 1), 'the reader');
    await reader.stop();
    expect(seen).toEqual([6]);
    const client = await db.owner.connect();
    try {
      const replay = replayLog({ database: client, bus: new MemoryMessageBus(), fromSeq: 1 });
      await expect(replay).rejects.toThrow('the log of jobs begins at seq 6');
    } finally {
      client.release();
    }
    expect(await one.get(JobHoldingsReader).endedOf([purged, live])).toEqual([purged]);
    // An id from that time gets a new partition, and the detached table keeps its name.
    const late = newUuid() as JobId;
    valueOf(await one.jobs.submit(me, submissionOf({ jobId: late })));
    const { rows } = await db.owner.query(
      'select tableoid::regclass::text as name from jobs.event where stream_id = $1',
      [late],
    );
    expect(rows).toEqual([{ name: expect.stringMatching(/^jobs\.event_\d{8}_\d{6}$/) as string }]);
  });

  it.each([
    ['a job of it is left', async () => void (await submitted(one, me))],
    [
      'a consumer has not read it',
      async () => await sql(`insert into jobs.relay_cursor values ('slow', 3, 1, 'x', '-infinity')`),
    ],
    [
      'an event waits for its predecessor',
      async () => await sql(`insert into jobs.event_held values ('${purged}', 9, '3', 9, now())`),
    ],
  ])('stays while %s', async (_, reason) => {
    await reason();
    await past();
    expect(await age()).toBe(false);
    expect(await noteOf('event_first')).toMatchObject({ detached: false });
    expect(await numbers()).toContain(1);
  });
  const sql = async (text: string): Promise<void> => void (await db.owner.query(text));

  it('waits for nobody: a reader that holds the table makes it try again, and stops no submission', async () => {
    await past();
    const reader = await db.owner.connect();
    await reader.query('begin; select count(*) from jobs.event');
    const ageing = age();
    let longestMs = 0;
    for (let n = 0; n < 40; n++) {
      const started = performance.now();
      valueOf(await one.jobs.submit(me, submissionOf({ jobId: newUuid(Date.now() + 30 * DAY_MS) as JobId })));
      longestMs = Math.max(longestMs, performance.now() - started);
    }
    await reader.query('commit');
    reader.release();
    expect(await ageing).toBe(true);
    expect(longestMs).toBeLessThan(1_000);
  });

  it('can be attached again with its bounds while the clock is wrong, unless a job of that time came', async () => {
    await past();
    expect(await age()).toBe(true);
    await db.advanceClock(-21 * DAY_MS);
    const said: object[] = [];
    const logger = { warn: (fields: object) => said.push(fields) } as unknown as Logger;
    const partitions = new LogPartitions(db.pool('heddle_jobs'), new JobsSettings(), new BackgroundLogger(logger));
    await partitions.run();
    const { rows } = await db.owner.query<{ to_id: string }>(
      `select to_id from jobs.event_partition where name = 'event_first'`,
    );
    const attach = `alter table jobs.event attach partition jobs.event_first for values from (minvalue) to ('${rows[0]!.to_id}')`;
    await db.owner.query(attach);
    await db.owner.query('alter table jobs.event detach partition jobs.event_first');
    await partitions.cover([newUuid(firstEndsMs - DAY_MS)]);
    expect(said).toEqual([expect.objectContaining({ made: [expect.any(String)], detached: ['event_first'] })]);
    await expect(db.owner.query(attach)).rejects.toThrow('would overlap partition');
  });

  it('is guarded after it has left, and reported when somebody attaches it again or removes one', async () => {
    await past();
    expect(await age()).toBe(true);
    for (const statement of [
      'update jobs.event_first set version = version',
      'delete from jobs.event_first',
      'truncate jobs.event_first',
    ])
      await expect(db.owner.query(statement)).rejects.toThrow('append-only');
    await age();
    expect(ageLog.trouble).toBeNull();
    const { rows } = await db.owner.query<{ to_id: string }>(
      `select to_id from jobs.event_partition where name = 'event_first'`,
    );
    await db.owner.query(
      `alter table jobs.event attach partition jobs.event_first for values from (minvalue) to ('${rows[0]!.to_id}')`,
    );
    await age();
    expect(ageLog.trouble).toContain('event_first was detached and is attached again');
    expect(await age()).toBe(false);
    // Its events have no numbers any more: that is not a fault of its own.
    const { faults } = await verifyLog(db.owner, 'jobs');
    expect(faults.map(({ fault }) => fault)).toEqual(['partition']);
    expect((await db.owner.query('select from jobs.event where stream_id = $1', [purged])).rowCount).toBe(5);
    await db.owner.query('alter table jobs.event detach partition jobs.event_first');
    await age();
    expect(ageLog.trouble).toBeNull();
    const { rows: last } = await db.owner.query<{ name: string }>(
      'select name from jobs.attached_partitions() order by to_id desc limit 1',
    );
    await db.owner.query(`alter table jobs.event detach partition jobs.${last[0]!.name}`);
    await age();
    expect(ageLog.trouble).toContain(`${last[0]!.name} is not attached`);
    valueOf(await one.jobs.submit(me, submissionOf({ jobId: newUuid(Date.now() + 30 * DAY_MS) as JobId })));
  });

  it.each([
    ['another link', `update jobs.event_seq set link = '\\x00'::bytea where seq = 6`],
    ['another chain', `update jobs.event_seq set chain = sha256('x') where seq = 6`],
    ['another stream', `update jobs.event_seq set stream_id = gen_random_uuid() where seq = 6`],
    ['no number without a link', 'delete from jobs.event_seq where seq = 6'],
    ['no number at all', 'truncate jobs.event_seq'],
  ])('leaves the guard of the numbers: the owner puts %s in none', async (_, statement) => {
    await past();
    expect(await age()).toBe(true);
    await expect(db.owner.query(statement)).rejects.toThrow('event_seq is append-only');
  });
});
