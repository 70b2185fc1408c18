import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { blake3 } from '@napi-rs/blake-hash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import { JOBS_MIGRATIONS, JOBS_ROLE, JobsSettings, verifyHistory } from '@heddle/jobs';
import { decodeJobEvent, encodeJobEvent } from '@heddle/jobs-domain';
import { readFrom } from '@heddle/platform-event-log';
import { freshDatabase, sharedServerUrl } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { loadLargeData } from './load.ts';

const JOBS = 2_000;
const OPTIONS = { jobs: JOBS, accounts: 50, deployments: 5, seed: 7 };
const MAIN = resolve(import.meta.dirname, 'main.ts');

describe('large data', () => {
  let db: TestDatabase;
  const target = (): Parameters<typeof loadLargeData>[0] => ({
    url: db.ownerUrl,
    isServed: false,
    close: () => Promise.resolve(),
  });
  const rowsOf = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await db.owner.query<Row>(sql, values)).rows;

  beforeAll(async () => {
    db = await freshDatabase({ migrations: [JOBS_MIGRATIONS, ASSETS_MIGRATIONS] });
    const signal = new AbortController().signal;
    const report = await loadLargeData(target(), OPTIONS, { signal, written: () => undefined });
    expect(report).toMatchObject({ jobs: JOBS });
  });
  afterAll(async () => {
    await db.drop();
  });

  it('has the chain, the read model, the queue and the counters that its log gives', async () => {
    const [{ n }] = (await rowsOf<{ n: string }>('select count(*) as n from jobs.event')) as [{ n: string }];
    const report = await verifyHistory(db.pool(JOBS_ROLE));
    expect(report).toMatchObject({ faults: [], readModel: 'equal', jobs: JOBS, events: BigInt(n) });
    expect(report.outputs).toBeGreaterThan(JOBS / 20);
  });

  it('spells every payload as the codec does', async () => {
    const client = await db.owner.connect();
    const types = new Set<string>();
    try {
      for (let seq = 0n, more = true; more;) {
        const page = await readFrom(client, 'jobs', seq, 4_000);
        for (const { type, schemaVersion, data } of page) {
          types.add(type);
          expect(encodeJobEvent(decodeJobEvent(type, schemaVersion, String(data)))).toBe(String(data));
        }
        seq = page.at(-1)?.seq ?? seq;
        more = page.length > 0;
      }
    } finally {
      client.release();
    }
    expect(types.size).toBe(9);
  });

  it('has every status, half of the jobs on the served account, a tenth with the label', async () => {
    const { accountId, deploymentId } = SELF_HOSTED_PRINCIPAL;
    const [facts] = await rowsOf<Record<string, number>>(
      `select count(distinct status)::int as statuses, count(distinct account_id)::int as accounts,
         count(distinct deployment_id)::int as deployments,
         count(*) filter (where account_id = $1 and deployment_id = $2)::int as served,
         count(*) filter (where 'project=alpha' = any(labels))::int as labelled from jobs.job`,
      [accountId, deploymentId],
    );
    expect(facts).toMatchObject({ statuses: 7, accounts: 51, deployments: 5 });
    expect(facts!['served']! / JOBS).toBeCloseTo(0.5, 1);
    expect(facts!['labelled']! / JOBS).toBeCloseTo(0.1, 1);
  });

  it('leaves more than half of each queue free, rescued jobs counted in, and no lease that lasts', async () => {
    const { queueDepth, queueDepthAccount } = new JobsSettings();
    const depths = await rowsOf<{ whole: boolean; most: number }>(
      `select account_id = '00000000-0000-0000-0000-000000000000' as whole, max(waiting + running)::int as most from jobs.queue_depth group by 1`,
    );
    for (const { whole, most } of depths) {
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan((whole ? queueDepth : queueDepthAccount) / 2);
    }
    expect(await rowsOf('select from jobs.queue where lease_until > heddle.clock_now()')).toEqual([]);
  });

  it('has ids of the time of submission, workflows by their hashes, and keys of the last day', async () => {
    const wrong = await rowsOf(`select id from jobs.job
      where substr(id::text, 15, 1) <> '7' or substr(id::text, 20, 1) !~ '[89ab]'
        or to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) <> created_at`);
    expect(wrong).toEqual([]);
    const workflows = await rowsOf<{ hash: Buffer; bytes: Buffer }>('select hash, bytes from jobs.workflow');
    for (const { hash, bytes } of workflows) expect(blake3(bytes)).toEqual(hash);
    const [keys] = await rowsOf(`select
      count(*) filter (where k.job_id is null and j.created_at > now() - interval '1 day')::int as missing,
      count(*) filter (where k.job_id is not null and k.claimed_at <> j.created_at)::int as other,
      count(k.job_id)::int > 0 as any
      from jobs.job j left join jobs.idempotency_key k on k.job_id = j.id where j.idempotency_key is not null`);
    expect(keys).toEqual({ missing: 0, other: 0, any: true });
  });

  it('has for each output a confirmed record, as long as its job, over a blob', async () => {
    const [facts] = await rowsOf(`select count(*)::int as outputs,
        count(*) filter (where a.hash = o.output ->> 'hash' and a.expires_at = j.expires_at and a.confirmed_at is not null
          and a.size_bytes = (o.output ->> 'sizeBytes')::bigint and b.size_bytes = a.size_bytes and a.output_key = o.key)::int as right
      from jobs.job_output o join jobs.job j on j.id = o.job_id
      left join assets.asset a on a.id = (o.output ->> 'assetId')::uuid left join assets.blob b on b.hash = a.hash`);
    expect(facts).toMatchObject({ outputs: (facts as { right: number }).right });
    expect((facts as { right: number }).right).toBeGreaterThan(0);
  });

  it('keeps whole batches when it is stopped', async () => {
    const stopped = await freshDatabase({ migrations: [JOBS_MIGRATIONS, ASSETS_MIGRATIONS] });
    try {
      const stop = new AbortController();
      const report = await loadLargeData(
        { url: stopped.ownerUrl, isServed: false, close: () => Promise.resolve() },
        { ...OPTIONS, jobs: 60_000 },
        { signal: stop.signal, written: () => stop.abort() },
      );
      expect(report.jobs).toBeLessThan(60_000);
      expect(await verifyHistory(stopped.pool(JOBS_ROLE))).toMatchObject({ faults: [], jobs: report.jobs });
    } finally {
      await stopped.drop();
    }
  });
});

describe('the command', () => {
  const run = (args: readonly string[], env: Record<string, string>): { code: number | null; said: string } => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    });
    return { code: status, said: stderr };
  };
  const JOBS_OF_TEN = ['--jobs', '10'];

  it('refuses what is not the database of this Heddle, each with a sentence', async () => {
    const other = await freshDatabase();
    const older = await freshDatabase({
      migrations: [
        { ...JOBS_MIGRATIONS, migrations: JOBS_MIGRATIONS.migrations.slice(0, 9), functions: [] },
        ASSETS_MIGRATIONS,
      ],
    });
    const newer = await freshDatabase({ migrations: [JOBS_MIGRATIONS, ASSETS_MIGRATIONS] });
    try {
      await newer.owner.query(`insert into jobs.migration (name) values ('9999-of-tomorrow')`);
      expect(run(JOBS_OF_TEN, { HEDDLE_DATABASE_URL: other.ownerUrl })).toEqual({
        code: 1,
        said: 'large-data: this database is not one of Heddle: it has no event log; check HEDDLE_DATABASE_URL\n',
      });
      const old = run(JOBS_OF_TEN, { HEDDLE_DATABASE_URL: older.ownerUrl });
      expect(old.code).toBe(1);
      expect(old.said).toMatch(
        /the schema is older than this version of Heddle: jobs\/0010-.* missing; run heddle migrate/,
      );
      const young = run(JOBS_OF_TEN, { HEDDLE_DATABASE_URL: newer.ownerUrl });
      expect(young.code).toBe(1);
      expect(young.said).toMatch(/the schema is newer .*jobs\/9999-of-tomorrow is not known here/);
    } finally {
      for (const db of [other, older, newer]) await db.drop();
    }
  });

  it('refuses a role that may not write, an address where nobody answers, and wrong usage', async () => {
    const db = await freshDatabase({ migrations: [JOBS_MIGRATIONS, ASSETS_MIGRATIONS] });
    try {
      const service = run(JOBS_OF_TEN, { HEDDLE_DATABASE_URL: db.database.roleUrl(JOBS_ROLE) });
      expect(service).toMatchObject({ code: 1, said: expect.stringContaining("must be the owner's") as string });
    } finally {
      await db.drop();
    }
    const away = new URL(await sharedServerUrl());
    away.port = '1';
    expect(run(JOBS_OF_TEN, { HEDDLE_DATABASE_URL: away.href }).code).toBe(3);
    expect(run(JOBS_OF_TEN, { HEDDLE_DATA: '/nowhere' })).toMatchObject({ code: 1 });
    expect(run(JOBS_OF_TEN, {})).toMatchObject({ code: 2, said: expect.stringContaining('no target') as string });
    expect(run(['--jobs', 'many'], {})).toMatchObject({ code: 2 });
    expect(run([], {})).toMatchObject({ code: 2 });
  });
});
