import { migrate } from '@heddle/platform-database';
import type { SchemaFunction, SchemaMigrations } from '@heddle/platform-database';
import { readFrom, Sequencer, verifyLog } from '@heddle/platform-event-log';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import { afterEach, describe, expect, it } from 'vitest';
import { JOBS_MIGRATIONS, JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import {
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submissionOf,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const DAY_MS = 86_400_000;
const EVENTS_BEFORE = 5_000;
/** From before partitioning: neither its steps nor its functions. */
const OLD_FUNCTIONS = /^(raise_log_format|submit_jobs|commit_changes|lease_jobs)$/;
const BEFORE: SchemaMigrations = {
  ...JOBS_MIGRATIONS,
  migrations: JOBS_MIGRATIONS.migrations.filter(({ name }) => name < '0012'),
  functions: (JOBS_MIGRATIONS.functions ?? []).filter(({ name }: SchemaFunction) => OLD_FUNCTIONS.test(name)),
};

/** Appends as any build does: a stream of two events in one statement. */
const appendSql = `
insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, is_terminal, data, status)
select e, s, v, 'JobSubmitted', 1, s, s, 0, v = 2, '{"a":1}', 'queued'
from unnest($1::uuid[], $2::uuid[], $3::int[]) as n (e, s, v)`;

async function append(db: TestDatabase, streams: readonly string[]): Promise<void> {
  const rows = streams.flatMap((stream) => [1, 2].map((version) => [newUuid(), stream, version] as const));
  await db.pool(JOBS_ROLE).query(
    appendSql,
    [0, 1, 2].map((at) => rows.map((row) => row[at])),
  );
}

describe('the log of an older build', () => {
  let db: TestDatabase;
  let sequencer: Sequencer | undefined;
  afterEach(async () => {
    await sequencer?.stop();
    await db.drop();
  });

  it('is split beside live traffic: nothing fails, waits long, or is numbered twice', async () => {
    db = await freshDatabase({ migrations: [BEFORE], poolSizes: { [JOBS_ROLE]: 6 } });
    await append(
      db,
      Array.from({ length: EVENTS_BEFORE / 2 }, () => newUuid()),
    );
    sequencer = new Sequencer({ pool: db.pool(JOBS_ROLE), schema: 'jobs' });
    sequencer.start();
    const numbered = async (): Promise<number> =>
      Number((await db.owner.query<{ n: string }>('select count(*) as n from jobs.event_seq')).rows[0]!.n);
    await until(async () => (await numbered()) === EVENTS_BEFORE, 'all are numbered');

    let isOver = false;
    let written = 0;
    let longestMs = 0;
    const writers = [1, 2, 3].map(async () => {
      while (!isOver) {
        const started = performance.now();
        await append(db, [newUuid()]);
        longestMs = Math.max(longestMs, performance.now() - started);
        written += 2;
        sequencer?.nudge();
      }
    });
    await until(async () => await Promise.resolve(written > 100), 'traffic before');
    const applied = await migrate(db.database, [JOBS_MIGRATIONS]);
    const after = written;
    await until(async () => await Promise.resolve(written > after + 100), 'traffic after');
    isOver = true;
    await Promise.all(writers);
    expect(applied).toContain('jobs/0018-event-partitions-swap');
    await until(async () => (await numbered()) === EVENTS_BEFORE + written, 'all are numbered');
    expect(await verifyLog(db.owner, 'jobs')).toMatchObject({ events: BigInt(EVENTS_BEFORE + written), faults: [] });
    process.stdout.write(`${written} events beside the migration, longest append ${longestMs.toFixed(0)} ms\n`);
    expect(longestMs).toBeLessThan(2_000);

    const { rows } = await db.owner.query<{ kind: string; partitions: number; unnamed: number }>(`
      select (select relkind from pg_class where oid = 'jobs.event'::regclass) as kind,
             (select count(*)::int from jobs.attached_partitions()) as partitions,
             (select count(*)::int from jobs.event_seq where stream_id is null) as unnamed`);
    expect(rows[0]).toMatchObject({ kind: 'p' });
    expect(rows[0]!.partitions).toBeGreaterThanOrEqual(4);
    expect(rows[0]!.unnamed).toBeGreaterThanOrEqual(EVENTS_BEFORE);
    expect((await readFrom(db.pool(JOBS_ROLE), 'jobs', 0n, 10)).map(({ seq }) => Number(seq))).toEqual(
      Array.from({ length: 10 }, (_, n) => n + 1),
    );
  });

  it('keeps an id of the far future in its first partition', async () => {
    db = await freshDatabase({ migrations: [BEFORE] });
    const ahead = newUuid(Date.now() + 1_000 * DAY_MS);
    await append(db, [newUuid(), ahead]);
    await migrate(db.database, [JOBS_MIGRATIONS]);
    const { rows } = await db.owner.query(
      'select tableoid::regclass::text as name from jobs.event where stream_id = $1',
      [ahead],
    );
    expect(rows).toEqual([{ name: 'jobs.event_first' }, { name: 'jobs.event_first' }]);
  });
});

describe('the partitions of the log', () => {
  let db: TestDatabase;
  let one: OpenJobs | undefined;
  afterEach(async () => {
    await one?.close();
    one = undefined;
    await dropConsistent(db);
  });

  const partitionOf = async (jobId: string): Promise<string> =>
    (
      await db.owner.query<{ name: string }>(
        'select tableoid::regclass::text as name from jobs.event where stream_id = $1',
        [jobId],
      )
    ).rows[0]!.name;
  const lastIdMs = async (): Promise<number> => {
    const { rows } = await db.owner.query<{ id: string }>(
      'select to_id::text as id from jobs.attached_partitions() order by to_id desc limit 1',
    );
    return Number.parseInt(rows[0]!.id.replaceAll('-', '').slice(0, 12), 16);
  };

  it('are made ahead at the start and by a round, also after the clock jumped a year', async () => {
    db = await openDatabase();
    await db.advanceClock(365 * DAY_MS);
    one = await openJobs(db, { logPartitionMs: 7 * DAY_MS });
    await until(async () => (await lastIdMs()) >= Date.now() + (365 + 2 * 7) * DAY_MS, 'two periods ahead');
    const me = someAccount();
    for (const ahead of [0, 365, 380]) {
      const jobId = newUuid(Date.now() + ahead * DAY_MS) as JobId;
      expect(valueOf(await one.jobs.submit(me, submissionOf({ jobId }))).status).toBe('queued');
    }
  });

  it('are made when a job comes whose id is of no partition: an id from a clock that is years off is no reason to refuse', async () => {
    db = await openDatabase();
    one = await openJobs(db, {});
    const me = someAccount();
    const far = Array.from({ length: 20 }, () => newUuid(Date.now() + 3_650 * DAY_MS) as JobId);
    const old = newUuid(0) as JobId;
    const answers = await Promise.all(
      [...far, old].map(async (jobId) => await one!.jobs.submit(me, submissionOf({ jobId }))),
    );
    for (const answer of answers) expect(valueOf(answer).status).toBe('queued');
    expect(await partitionOf(far[0]!)).toMatch(/^jobs\.event_20\d{6}_\d{6}$/);
    expect(await partitionOf(old)).toBe('jobs.event_first');
    expect(await db.owner.query(`select from jobs.event_partition where detached_at is null`)).toHaveProperty(
      'rowCount',
      (await db.owner.query('select from jobs.attached_partitions()')).rowCount,
    );
  });

  it('follow another period without a gap or an overlap', async () => {
    db = await openDatabase();
    const make = async (periodMs: number, ...days: readonly number[]): Promise<void> => {
      await db
        .pool(JOBS_ROLE)
        .query('select jobs.make_event_partitions($1, $2::bigint[])', [
          periodMs,
          days.map((day) => Date.now() + day * DAY_MS),
        ]);
    };
    await make(DAY_MS, 40, 42, 50);
    await make(30 * DAY_MS, ...Array.from({ length: 60 }, (_, day) => day + 30));
    await make(5 * DAY_MS, ...Array.from({ length: 60 }, (_, day) => day + 60));
    const { rows } = await db.owner.query<{ from_id: string; to_id: string }>(
      `select from_id::text, to_id::text from jobs.attached_partitions() where to_id > jobs.first_event_id($1) order by to_id`,
      [Date.now() + 31 * DAY_MS],
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const [at, { from_id }] of rows.entries()) if (at > 0) expect(from_id).toBe(rows[at - 1]!.to_id);
    await expect(make(999, 1)).rejects.toThrow('a partition spans a second at least');
  });

  it('are read one at a time for the event of a number, and none but the first for a number without a stream', async () => {
    db = await openDatabase();
    one = await openJobs(db, {});
    const me = someAccount();
    for (const day of [0, 12, 19]) {
      const jobId = newUuid(Date.now() + day * DAY_MS) as JobId;
      valueOf(await one.jobs.submit(me, submissionOf({ jobId })));
    }
    await until(async () => (await db.owner.query('select from jobs.event_seq')).rowCount === 3, 'the numbers');
    const client = await db.pool(JOBS_ROLE).connect();
    try {
      const text = await readFromText();
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, summary off) ${text.replace('$1', '2').replace('$2', '1')}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']);
      const scans = plan.filter((line) => /Scan .* on event_/.test(line) && !line.includes('event_seq'));
      const executed = scans.filter((line) => !line.includes('never executed'));
      expect(executed, plan.join('\n')).toHaveLength(1);
      expect(plan.join('\n')).not.toContain('Seq Scan on event_');
    } finally {
      client.release();
    }
  });
});

/** The statement of `readFrom` as the server receives it. */
async function readFromText(): Promise<string> {
  let seen = '';
  const recording = {
    query: async (config: { text: string }) => {
      seen = config.text;
      return await Promise.resolve({ rows: [] });
    },
  };
  await readFrom(recording as never, 'jobs', 0n, 1);
  return seen;
}
