import type { TestDatabase } from '@heddle/testing-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { verifyHistory } from './verify-history.js';

const COPIES = 4_000;

describe('the verification of a history of many slices', () => {
  let db: TestDatabase;
  let one: OpenJobs;

  /** One job that has run, and thousands like it. */
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, {});
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    const output = { kind: 'output_committed', output: outputOf('9/0/0') } as const;
    await one.leases.ingest([reportOf(lease, 1, output), reportOf(lease, 2, succeeded)]);
    const columns = async (table: string, but: string): Promise<string> => {
      const text = `select string_agg(attname, ', ') as names from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all($2::text[])`;
      return (await db.owner.query<{ names: string }>(text, [table, but.split(' ')])).rows[0]!.names;
    };
    const ofJob = await columns('jobs.job', 'id');
    const ofOutput = await columns('jobs.job_output', 'job_id');
    const ofEvent = await columns('jobs.event', 'position txid event_id stream_id data_digest');
    await db.owner.query(
      `
      with copies as materialized (
        select (left($1::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid as job_id from generate_series(1, ${COPIES})),
      jobs as (insert into jobs.job (id, ${ofJob}) select c.job_id, ${ofJob} from copies c, jobs.job where id = $1::uuid),
      outputs as (insert into jobs.job_output (job_id, ${ofOutput})
        select c.job_id, ${ofOutput} from copies c, jobs.job_output o where o.job_id = $1::uuid)
      insert into jobs.event (event_id, stream_id, ${ofEvent})
        select gen_random_uuid(), c.job_id, ${ofEvent} from copies c, jobs.event where stream_id = $1::uuid order by job_id, version`,
      [id],
    );
    await until(async () => {
      const text = 'select seq from jobs.seq_cursor';
      return Number((await db.owner.query<{ seq: string }>(text)).rows[0]!.seq) === (COPIES + 1) * 4;
    }, 'the numbers');
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  it('holds no snapshot for longer than a slice takes, so that vacuum goes on', async () => {
    const reader = new pg.Client(db.ownerUrl);
    await reader.connect();
    const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid');
    let isOver = false;
    let phase = '';
    const seen = new Map([['read model', new Set<string>()]]);
    const watch = async (): Promise<void> => {
      while (!isOver) {
        // The transaction id advances, so that a new snapshot differs.
        await db.owner.query('select pg_current_xact_id()');
        const text =
          'select backend_xmin::text as xmin from pg_stat_activity where pid = $1 and backend_xmin is not null';
        for (const { xmin } of (await db.owner.query<{ xmin: string }>(text, [rows[0]!.pid])).rows)
          seen.get(phase)?.add(xmin);
      }
    };
    const watching = watch();
    const report = await verifyHistory(reader, { onProgress: (progress) => (phase = progress.phase) }).finally(
      () => (isOver = true),
    );
    await watching;
    await reader.end();
    expect(report).toMatchObject({
      events: BigInt((COPIES + 1) * 4),
      jobs: COPIES + 1,
      readModel: 'equal',
      faults: [],
    });
    // A single snapshot for all would yield one.
    expect(seen.get('read model')!.size).toBeGreaterThanOrEqual(2);
  });

  it('finds nothing while jobs come and end under its way', async () => {
    const me = someAccount();
    let isOver = false;
    const work = async (): Promise<void> => {
      while (!isOver) {
        await submitted(one, me);
        const lease = await leased(one, me);
        await one.leases.ingest([reportOf(lease, 1, succeeded)]);
      }
    };
    const working = work();
    const reports = [await verifyHistory(db.pool('heddle_jobs')), await verifyHistory(db.pool('heddle_jobs'))];
    isOver = true;
    await working;
    expect(reports.map(({ faults }) => faults)).toEqual([[], []]);
    expect(reports[1]!.jobs).toBeGreaterThan(reports[0]!.jobs);
  });

  it('names the job whose row is not what the log gives', async () => {
    const { rows } = await db.owner.query<{ id: string }>('select id from jobs.job order by id limit 1');
    await db.owner.query('update jobs.job set fence = fence + 1 where id = $1', [rows[0]!.id]);
    const all = await verifyHistory(db.owner);
    expect(all.faults).toEqual([expect.objectContaining({ fault: 'read_model', streamId: rows[0]!.id })]);
    const beside = await db.owner.connect();
    const told: string[] = [];
    const onProgress = ({ phase }: { readonly phase: string }): number => told.push(phase);
    const both = await verifyHistory(db.owner, { beside, onProgress }).finally(() => beside.release());
    // Not its end: the last events of the test before may still get their numbers.
    const { jobs, outputs, readModel, faults } = all;
    expect(both).toMatchObject({ jobs, outputs, readModel, faults });
    // The progress of the jobs is told when that of the chain has ended.
    expect([...told].sort()).toEqual(told);
    await db.owner.query('update jobs.job set fence = fence - 1 where id = $1', [rows[0]!.id]);
  });

  it('names the event whose payload was removed although its job was not purged', async () => {
    const { rows } = await db.owner.query<{ id: string }>('select id from jobs.job order by id limit 1');
    const { id } = rows[0]!;
    const { rows: events } = await db.owner.query<{ event_id: string; data: Buffer }>(
      'select event_id, data from jobs.event where stream_id = $1 and version = 1',
      [id],
    );
    const { event_id: eventId, data } = events[0]!;
    const place = [id, eventId];
    const where = 'where stream_id = $1 and event_id = $2';
    await asOwnerOfTheRows(`update jobs.event set data_digest = sha256(data), data = null ${where}`, place);
    // Its row cannot be compared, so the fault of the event must be reported.
    await db.owner.query(`update jobs.job set created_at = created_at - interval '1 day' where id = $1`, [id]);
    const { faults } = await verifyHistory(db.owner);
    expect(faults).toEqual([
      expect.objectContaining({ fault: 'fold', eventId, streamId: id, version: 1, seq: expect.any(BigInt) as bigint }),
    ]);
    expect(faults[0]!.message).toContain('was not purged');
    await asOwnerOfTheRows(`update jobs.event set data_digest = null, data = $3 ${where}`, [...place, data]);
    await db.owner.query(`update jobs.job set created_at = created_at + interval '1 day' where id = $1`, [id]);
    expect((await verifyHistory(db.owner)).faults).toEqual([]);
  });

  it('names the event whose status is not what the events of its job lead to', async () => {
    const { rows } = await db.owner.query<{ id: string }>('select id from jobs.job order by id limit 1');
    const { id } = rows[0]!;
    const change = `update jobs.event set status = $2 where stream_id = $1 and type = 'JobSucceeded'`;
    await asOwnerOfTheRows(change, [id, 'failed']);
    const { faults } = await verifyHistory(db.owner);
    expect(faults).toEqual([expect.objectContaining({ fault: 'fold', streamId: id, version: 4 })]);
    expect(faults[0]!.message).toBe('its status is failed, and the events of its job lead to succeeded');
    await asOwnerOfTheRows(change, [id, 'succeeded']);
    expect((await verifyHistory(db.owner)).faults).toEqual([]);
  });

  /** Whoever owns the database can switch its triggers off. */
  async function asOwnerOfTheRows(text: string, values: readonly unknown[]): Promise<void> {
    const client = await db.owner.connect();
    try {
      await client.query('set session_replication_role = replica');
      await client.query(text, [...values]);
    } finally {
      client.release(true);
    }
  }
});
