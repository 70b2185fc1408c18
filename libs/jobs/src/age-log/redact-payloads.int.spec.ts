import { createHash } from 'node:crypto';
import { JOB_EVENTS_TOPIC, JOB_LOG_PORT, newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLogPort, JobMessage, Principal } from '@heddle/contracts-messages';
import { readStream, verifyLog } from '@heddle/platform-event-log';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoadJob } from '../known-jobs/load-job.js';
import {
  codeOf,
  dropConsistent,
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
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobPurger } from '../purge-jobs/job-purger.js';
import { replayLog } from '../replay-log/replay-log.js';

const RETENTION_MS = 1_000_000;
const CANARY = 'canary-of-a-person';

describe('the payloads of a purged job', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  const me: Principal = someAccount();
  let purged: string;
  let kept: string;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { retentionMs: RETENTION_MS, leaseMs: 100_000_000, maxRuntimeMs: 100_000_000 });
    const { id } = await submitted(one, me, { metadata: { owner: CANARY }, idempotencyKey: 'key-of-24-hours' });
    const lease = await leased(one, me);
    const output = { ...outputOf('9/0/0'), name: CANARY };
    await one.leases.ingest([reportOf(lease, 1, { kind: 'output_committed', output }), reportOf(lease, 2, succeeded)]);
    await until(async () => (await chain()).events === 4n, 'the numbers');
    purged = id;
    await db.advanceClock(RETENTION_MS);
    kept = (await submitted(one, me, { metadata: { owner: CANARY } })).id;
    await one.get(JobPurger).run();
    await until(async () => (await chain()).events === 6n, 'the numbers');
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  const chain = async () => await verifyLog(db.owner, 'jobs');

  it('are gone with the purge, and their digests stay in a chain that still holds', async () => {
    const events = await readStream(db.owner, 'jobs', purged);
    expect(events.map(({ type, data }) => [type, data === null])).toEqual([
      ['JobSubmitted', true],
      ['JobLeased', false],
      ['OutputCommitted', true],
      ['JobSucceeded', false],
      ['JobPurged', false],
    ]);
    for (const { data, dataDigest } of events) expect(dataDigest?.length).toBe(data === null ? 32 : undefined);
    expect(await chain()).toMatchObject({ events: 6n, faults: [] });
    const text = await db.owner.query<{ n: number }>(
      `select count(*)::int as n from jobs.event where position(convert_to('${CANARY}', 'UTF8') in data) > 0`,
    );
    expect(text.rows).toEqual([{ n: 1 }]);
    const first = (await readStream(db.owner, 'jobs', kept))[0]!;
    expect(first.dataDigest).toBeUndefined();
    expect(createHash('sha256').update(first.data!).digest()).toHaveLength(32);
  });

  it('show in the chain when their digests are changed', async () => {
    const client = await db.owner.connect();
    try {
      await client.query('begin; alter table jobs.event disable trigger append_only');
      await client.query(`update jobs.event set data_digest = sha256('x') where stream_id = $1 and version = 1`, [
        purged,
      ]);
      expect((await verifyLog(client, 'jobs')).faults[0]).toMatchObject({ seq: 1n, fault: 'hash' });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('leave each event its place for followers: every number has a message, without anything of the payload', async () => {
    const { messages } = await one.get<JobLogPort>(JOB_LOG_PORT).messagesAfter(0, 100);
    expect(messages.map(({ seq, message }) => [seq, message.type, message.status])).toEqual([
      [1, 'JobSubmitted', 'queued'],
      [2, 'JobLeased', 'running'],
      [3, 'OutputCommitted', 'running'],
      [4, 'JobSucceeded', 'succeeded'],
      [5, 'JobSubmitted', 'queued'],
      [6, 'JobPurged', 'succeeded'],
    ]);
    expect(messages[0]!.message.inputAssetIds).toBeUndefined();
    expect(messages[2]!.message.output).toBeUndefined();
    expect(messages[4]!.message.inputAssetIds).toEqual([]);
  });

  it('do not stop a replay of the log', async () => {
    const bus = new MemoryMessageBus();
    const heard: string[] = [];
    await bus.subscribe(JOB_EVENTS_TOPIC, 'test', async (batch) => {
      heard.push(...batch.map(({ payload }) => (payload as JobMessage).type));
      await Promise.resolve();
    });
    const client = await db.owner.connect();
    try {
      expect(await replayLog({ database: client, bus, fromSeq: 1 })).toMatchObject({ published: 6 });
    } finally {
      client.release();
      await bus.close();
    }
    expect(heard).toHaveLength(6);
  });

  it('leave a job that is known as purged: commands and reports on it change nothing', async () => {
    expect(await one.get(LoadJob).load(purged as JobId)).toMatchObject({ state: { status: 'purged', version: 5 } });
    expect(codeOf(await one.jobs.cancel(me, purged as JobId))).toBe('not_found');
  });

  it('take the claim of an idempotency key neither with them nor with the job: it stays its 24 hours', async () => {
    const again = submissionOf({ idempotencyKey: 'key-of-24-hours' });
    expect(codeOf(await one.jobs.submit(me, again))).toBe('idempotency_key_reuse');
    await db.advanceClock(86_400_000 - RETENTION_MS - 60_000);
    await one.get(JobPurger).run();
    expect(codeOf(await one.jobs.submit(me, again))).toBe('idempotency_key_reuse');
    await db.advanceClock(120_000);
    await one.get(JobPurger).run();
    expect(codeOf(await one.jobs.submit(me, again))).toBe('accepted');
  });
});

describe('the guard of the log', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let ended: string;
  let waiting: string;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { retentionMs: RETENTION_MS, leaseMs: 100_000_000, maxRuntimeMs: 100_000_000 });
    const me = someAccount();
    ended = (await submitted(one, me)).id;
    await db.advanceClock(RETENTION_MS);
    // Purges the job as a build would that keeps payloads.
    await db.owner.query('begin; alter table jobs.event disable trigger append_only; commit');
    await one.get(JobPurger).run();
    await db.owner.query(
      `update jobs.event set data = '{"a":1}', data_digest = null where stream_id = $1 and data is null`,
      [ended],
    );
    await db.owner.query('alter table jobs.event enable trigger append_only');
    waiting = (await submitted(one, me)).id;
  });
  afterAll(async () => {
    await one.close();
    await db.drop();
  });

  const REDACTED = 'data = null, data_digest = sha256(data)';
  it.each([
    ['of a job that is not purged', REDACTED, () => waiting],
    ['without the digest', 'data = null', () => ended],
    ['with another digest', `data = null, data_digest = sha256('other')`, () => ended],
    ['with another type beside it', `${REDACTED}, type = 'JobLeased'`, () => ended],
    ['with another account beside it', `${REDACTED}, account_id = gen_random_uuid()`, () => ended],
    ['with another status beside it', `${REDACTED}, status = 'failed'`, () => ended],
    ['that puts other bytes in its place', `data = '{}'`, () => ended],
    ['of nothing at all', 'version = version', () => ended],
  ])('refuses the owner an update %s', async (_, set, job) => {
    for (const table of ['jobs.event', 'jobs.event_first']) {
      await expect(
        db.owner.query(`update ${table} set ${set} where stream_id = $1 and version = 1`, [job()]),
      ).rejects.toThrow('event is append-only');
    }
  });

  it('refuses the service role the same through the function, and takes nothing but what people wrote', async () => {
    const pool = db.pool('heddle_jobs');
    await expect(pool.query('select jobs.forget_payloads($1)', [[ended, waiting]])).rejects.toThrow('append-only');
    await pool.query('select jobs.forget_payloads($1)', [[ended]]);
    const { rows } = await db.owner.query(
      `select type from jobs.event where stream_id = $1 and data is null order by version`,
      [ended],
    );
    expect(rows).toEqual([{ type: 'JobSubmitted' }]);
    await expect(
      db.owner.query(
        `update jobs.event set data = '{"a":1}', data_digest = null where stream_id = $1 and version = 1`,
        [ended],
      ),
    ).rejects.toThrow('event is append-only');
    await expect(db.owner.query('delete from jobs.event where stream_id = $1', [newUuid()])).resolves.toBeDefined();
    await expect(db.owner.query('delete from jobs.event where stream_id = $1', [ended])).rejects.toThrow('append-only');
  });
});
