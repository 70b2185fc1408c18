import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropConsistent, openDatabase, openJobs, until } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

interface Said {
  readonly what: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

describe('a snapshot that stays open', () => {
  const said: Said[] = [];
  const checks: { readonly name: string; readonly optional?: boolean; check(): unknown }[] = [];
  const metrics = new MetricsRegistry();
  let db: TestDatabase;
  let one: OpenJobs;
  let analyst: pg.Client;

  beforeAll(async () => {
    db = await openDatabase();
    const note = (facts: object, what?: string): void => {
      if (what !== undefined) said.push({ what, facts: facts as Said['facts'] });
    };
    const logger = { warn: note, error: note } as never;
    one = await openJobs(db, { snapshotAlarmMs: 40 }, { logger, metrics, readiness: checks });
    analyst = new pg.Client({ connectionString: db.ownerUrl, application_name: 'weekly-report' });
    await analyst.connect();
  });
  afterAll(async () => {
    await analyst.end();
    await one.close();
    await dropConsistent(db);
  });

  const reason = (): unknown => checks.find(({ name }) => name === 'snapshots')?.check();
  const gauge = async (): Promise<number> =>
    Number(/^heddle_oldest_snapshot_seconds (\S+)$/m.exec(await metrics.metrics())?.[1]);
  const logged = (): Said[] => said.filter(({ facts }) => facts['application'] === 'weekly-report');

  it('is named with its session in readiness, metric and log, once, until it ends', async () => {
    const { rows } = await analyst.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]!.pid;
    await analyst.query('begin transaction isolation level repeatable read; select');
    await until(async () => await Promise.resolve(String(reason()).includes(`pid ${pid} (weekly-report`)), 'the alarm');
    expect(checks.find(({ name }) => name === 'snapshots')?.optional).toBe(true);
    await until(async () => (await gauge()) > 0.2, 'the metric');
    expect(logged()).toEqual([
      { what: 'a snapshot is open for too long', facts: expect.objectContaining({ pid }) as Said['facts'] },
    ]);
    await analyst.query('rollback');
    await until(async () => await Promise.resolve(reason() === null), 'the end of the alarm');
  });
});
