import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobLease } from '@heddle/contracts-messages';
import { Sequencer } from '@heddle/platform-event-log';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import {
  leaseRequest,
  openDatabase,
  openJobs,
  outputOf,
  progressOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JobPurger } from '../purge-jobs/job-purger.js';
import { verifyHistory } from '../verify-history/verify-history.js';
import { rebuildReadModel } from './rebuild-read-model.js';
import { dropRebuilt } from './shadow-tables.js';

describe(`the read model after a random run (seed ${seed})`, () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, { queueDepthAccount: 10_000, retentionMs: 600_000, retryDelayMs: 0 });
    await randomRun(seeded(seed));
    // From here on only the tests change anything.
    await one.close();
  });
  afterAll(async () => {
    await db.drop();
  });

  async function randomRun(random: () => number): Promise<void> {
    const me = someAccount();
    const held: JobLease[] = [];
    const sequences = new Map<JobLease, number>();
    const next = (lease: JobLease): number => {
      const sequence = (sequences.get(lease) ?? 0) + 1;
      sequences.set(lease, sequence);
      return sequence;
    };
    for (let turn = 0; turn < 400; turn++) {
      const dice = random();
      const lease = held[Math.floor(random() * held.length)];
      if (dice < 0.3 || lease === undefined) {
        const metadata = {
          note: `a "quoted", {braced} \\ note ${turn}`,
          'x.y': '',
          plain: 'ä',
          lines: 'a\tb\r\nc',
          nbsp: '\u00a0',
        };
        await submitted(one, me, { metadata: random() < 0.5 ? metadata : {} });
        // A job is available, so nobody waits this long.
        const request = leaseRequest(me, 'worker-a', { slots: 1, waitMs: 20_000 });
        if (random() < 0.8) held.push(...(await one.leases.acquire(request, new AbortController().signal)));
      } else if (dice < 0.5) {
        const key = `9/0/${Math.floor(random() * 5)}`;
        await one.leases.ingest([reportOf(lease, next(lease), { kind: 'output_committed', output: outputOf(key) })]);
      } else if (dice < 0.6) {
        await one.leases.ingest([reportOf(lease, next(lease), { kind: 'progress', progress: progressOf(random()) })]);
      } else if (dice < 0.7) {
        await one.jobs.cancel(me, lease.jobId);
      } else if (dice < 0.75) {
        await one.leases.handBack('worker-a', lease);
      } else if (dice < 0.95) {
        held.splice(held.indexOf(lease), 1);
        const lost = { kind: 'lost', reason: 'crash' } as const;
        const failed = {
          kind: 'failed',
          code: 'engine_error',
          message: '\u0000é',
          nodeId: '9',
          classType: null,
          traceback: null,
        } as const;
        const outcome = random() < 0.5 ? succeeded.outcome : random() < 0.5 ? lost : failed;
        await one.leases.ingest([reportOf(lease, next(lease), { ...succeeded, outcome })]);
      } else {
        await db.advanceClock(20_000);
        await one.get(JobPurger).run();
      }
    }
  }

  it('is, byte for byte, what the log gives; queue and counters agree with it', async () => {
    const report = await verifyHistory(db.pool('heddle_jobs'));
    expect(report).toMatchObject({ faults: [], readModel: 'equal' });
    expect(report.jobs).toBeGreaterThan(20);
    expect(report.outputs).toBeGreaterThan(5);
  });

  it('is given again by a rebuild from zero', async () => {
    expect(await rebuildReadModel(db.owner, 'jobs_rebuilt')).toMatchObject({ differences: [], swapped: false });
    const dump = async (table: string): Promise<unknown> =>
      (await db.owner.query(`select md5(string_agg(t::text, E'\\n' order by t::text)) as dump from ${table} t`)).rows;
    expect(await dump('jobs_rebuilt.job')).toEqual(await dump('jobs.job'));
    expect(await dump('jobs_rebuilt.job_output')).toEqual(await dump('jobs.job_output'));
    expect(await dump('jobs_rebuilt.job_label')).toEqual(await dump('jobs.job_label'));
    const beside = await db.owner.connect();
    try {
      expect(await rebuildReadModel(db.owner, 'jobs_beside', { beside })).toMatchObject({ differences: [] });
    } finally {
      beside.release();
    }
    expect(await dump('jobs_beside.job')).toEqual(await dump('jobs.job'));
    expect(await dump('jobs_beside.job_output')).toEqual(await dump('jobs.job_output'));
    await dropRebuilt(db.owner, 'jobs_beside');
  });

  it('stands on a log whose chain holds', async () => {
    const total = (await db.owner.query<{ n: string }>('select count(*) as n from jobs.event')).rows[0]!.n;
    const sequencer = new Sequencer({ pool: db.pool('heddle_jobs'), schema: 'jobs', takeOver: true });
    sequencer.start();
    const sequenced = `select count(*) as n from jobs.event_seq`;
    await until(async () => (await db.owner.query<{ n: string }>(sequenced)).rows[0]!.n === total, 'the sequencer');
    await sequencer.stop();
    expect(await verifyHistory(db.pool('heddle_jobs'))).toMatchObject({ events: BigInt(total), faults: [] });
  });

  it('is found wrong when a row was changed behind the log', async () => {
    await db.owner.query(
      `update jobs.job set version = version + 1 where id = (select min(id::text)::uuid from jobs.job)`,
    );
    await db.owner.query(`delete from jobs.job_output where ctid = (select min(ctid) from jobs.job_output)`);
    await db.owner.query(`update jobs.queue_depth set running = running + 1`);
    const { faults, readModel } = await verifyHistory(db.pool('heddle_jobs'));
    expect([readModel, faults.every(({ fault }) => fault === 'read_model')]).toEqual(['differs', true]);
    const text = faults.map(({ message }) => message).join('\n');
    expect(text).toMatch(/version is \d+, the log has \d+/);
    expect(text).toMatch(/output \d+ of job .* is missing/);
    expect(text).toMatch(/depth of account/);
  });

  it('differs in a rebuild, whose swap puts right what differs, with every index, grant and trigger', async () => {
    await db.owner.query('update jobs.queue_depth set running = running - 1');
    // A row of a job that the log does not contain, beside those changed by the previous test.
    const stray = `insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, expires_at, workflow_hash, metadata)
      select gen_random_uuid(), account_id, deployment_id, 'queued', 1, 0, created_at, updated_at, expires_at, workflow_hash, metadata
      from jobs.job limit 1 returning id`;
    const { rows: strays } = await db.owner.query<{ id: string }>(stray);
    const told: { readonly events: number; readonly total: number }[] = [];
    const looked = await rebuildReadModel(db.owner, 'jobs_looked', { onProgress: (progress) => told.push(progress) });
    expect(looked).toMatchObject({ swapped: false, unusable: 0 });
    expect(looked.events).toBeGreaterThan(100);
    expect(told.at(-1)).toEqual({ events: looked.events, total: looked.events });
    expect(new Set(told.map(({ total }) => total)).size).toBe(1);
    expect(looked.differences).toHaveLength(3);
    await dropRebuilt(db.owner, 'jobs_looked');
    const before = await catalogOf(db);
    expect(before.filter((line) => line.includes('heddle_analyst'))).not.toEqual([]);
    let swapped = 0;
    const onSwapped = (): number => (swapped += 1);
    const steps: (readonly [number, number])[] = [];
    const onIndexed = ({ steps: done, total }: { readonly steps: number; readonly total: number }): void =>
      void steps.push([done, total]);
    const report = await rebuildReadModel(db.owner, 'jobs_swapped', { swap: true, onIndexed, onSwapped });
    expect([report, swapped]).toEqual([{ ...looked, swapped: true }, 1]);
    expect(steps.length).toBeGreaterThan(10);
    expect(steps).toEqual(steps.map((_, at) => [at, steps.length - 1]));
    expect(await verifyHistory(db.pool('heddle_jobs'))).toMatchObject({ faults: [], readModel: 'equal' });
    expect(await catalogOf(db)).toEqual(before);
    const former = `select id from jobs_swapped.job where id = $1`;
    expect((await db.owner.query(former, [strays[0]!.id])).rows).toEqual(strays);
    // The former tables are not connected to the live ones.
    const labels = async (): Promise<number> => (await db.owner.query('select from jobs.job_label')).rowCount ?? 0;
    const left = await labels();
    expect(left).toBeGreaterThan(0);
    await db.owner.query('delete from jobs_swapped.job');
    expect(await labels()).toBe(left);
    await expect(rebuildReadModel(db.owner, 'jobs_swapped')).rejects.toThrow('after a swap it holds the former tables');
    await dropRebuilt(db.owner, 'jobs_swapped');
  });

  it('keeps the rows of a job with an event that this build cannot fold', async () => {
    const { rows } = await db.owner.query<{ id: string }>('select id from jobs.job order by id limit 1');
    const { id } = rows[0]!;
    const row = async (): Promise<unknown> =>
      (await db.owner.query('select * from jobs.job where id = $1', [id])).rows[0];
    await db.owner.query(`alter table jobs.event disable trigger user`);
    await db.owner.query(`update jobs.event set schema_version = 99 where stream_id = $1 and version = 1`, [id]);
    const before = await row();
    const report = await rebuildReadModel(db.owner, 'jobs_newer', { swap: true });
    expect(report).toMatchObject({ swapped: true, unusable: 1, differences: [expect.stringContaining(id)] });
    expect(await row()).toEqual(before);
    await db.owner.query(`update jobs.event set schema_version = 1 where stream_id = $1 and version = 1`, [id]);
    await dropRebuilt(db.owner, 'jobs_newer');
  });

  it('is not rebuilt into a schema that is there, or whose name is none', async () => {
    await db.owner.query('create schema taken');
    await expect(rebuildReadModel(db.owner, 'taken')).rejects.toThrow('the schema taken already exists');
    await expect(rebuildReadModel(db.owner, 'jobs')).rejects.toThrow('the schema jobs already exists');
    await expect(rebuildReadModel(db.owner, 'x; drop schema jobs')).rejects.toThrow('is not a schema name');
  });

  it('advises to drop a schema only if a rebuild made it', async () => {
    let made = 0;
    const onMade = (): number => (made += 1);
    for (const live of ['jobs', 'public', 'heddle'])
      await expect(rebuildReadModel(db.owner, live, { onMade })).rejects.toThrow(
        /no rebuild made it: name another one$/,
      );
    expect(made).toBe(0);
    await rebuildReadModel(db.owner, 'made_before', { onMade });
    await expect(rebuildReadModel(db.owner, 'made_before', { onMade })).rejects.toThrow('or drop this one');
    expect(made).toBe(1);
    await dropRebuilt(db.owner, 'made_before');
  });
});

/** Every property of the tables of the read model that a swap must keep. */
async function catalogOf(db: TestDatabase): Promise<string[]> {
  const tables = `(select c.* from pg_class c where c.relnamespace = 'jobs'::regnamespace and c.relname in ('job', 'job_output', 'job_label'))`;
  const { rows } = await db.owner.query<{ line: string }>(`
    select c.relname || ' ' || pg_get_userbyid(c.relowner) || ' ' || coalesce(c.reloptions::text, '') || c.relpersistence::text || c.relkind::text as line from ${tables} c
    union all select c.relname || ' ' || a.privilege_type || ' ' || a.grantee::regrole from ${tables} c, aclexplode(c.relacl) a where a.grantee <> c.relowner
    union all select c.relname || ' ' || t.attnum || t.attname || format_type(t.atttypid, t.atttypmod) || t.attnotnull || t.attstorage::text
      || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || coalesce(t.attacl::text, '')
      from ${tables} c join pg_attribute t on t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped left join pg_attrdef d on d.adrelid = c.oid and d.adnum = t.attnum
    union all select k.conname || ' ' || pg_get_constraintdef(k.oid) from ${tables} c, pg_constraint k where k.conrelid = c.oid
    union all select pg_get_indexdef(i.indexrelid) from ${tables} c, pg_index i where i.indrelid = c.oid
    union all select pg_get_triggerdef(g.oid) from ${tables} c, pg_trigger g where g.tgrelid = c.oid
    order by 1`);
  return rows.map(({ line }) => line);
}
