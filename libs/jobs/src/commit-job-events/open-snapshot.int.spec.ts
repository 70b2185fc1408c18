import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PoolClient } from 'pg';
import type { TestDatabase } from '@heddle/testing-database';
import { knownCandidatesSql } from '../lease-job/leases.sql.js';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
  succeeded,
} from '../jobs-under-test/open-jobs.fixture.js';

const PAIRS = 250;

/** Columns and conditions as in the counting functions (lasting-counters.ts). */
const counterSql = `select waiting from jobs.queue_depth where deployment_id = $1::uuid and account_id = $2::uuid`;

describe('an open snapshot, beside which jobs came and ended', () => {
  const me = someAccount();
  let db: TestDatabase;
  let reader: PoolClient;
  let service: PoolClient;
  beforeAll(async () => {
    db = await openDatabase();
    reader = await db.owner.connect();
    await reader.query('set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read');
    await reader.query('select count(*) from jobs.job');
    const one = await openJobs(db);
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await Promise.all([submitted(one, me), submitted(one, me)]);
      for (let lease = 0; lease < 2; lease += 1) {
        await one.leases.ingest([reportOf(await leased(one, me), 1, succeeded)]);
      }
    }
    await one.close();
    // With the service's planner settings, which its pool sets.
    service = await db.pool('heddle_jobs').connect();
    await db.owner.query('vacuum analyze jobs.queue, jobs.queue_depth');
  }, 120_000);
  afterAll(async () => {
    service.release();
    await reader.query('rollback');
    reader.release();
    await dropConsistent(db);
  });

  /** Pages read by a statement: it fetches every row version that its index leads to. */
  async function pagesOf(sql: string, values: unknown[]): Promise<number> {
    const { rows } = await service.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      values,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  }

  it('costs a counter that is searched by its newest generation nothing', async () => {
    const values = [me.deploymentId, me.accountId];
    await pagesOf(counterSql, values);
    const all = await pagesOf(counterSql, values);
    const newest = await pagesOf(`${counterSql} order by generation desc limit 1`, values);
    expect(all).toBeGreaterThan(20);
    expect(newest).toBeLessThan(8);
  });

  it('costs a look that begins where the jobs of an account begin nothing', async () => {
    const { rows } = await db.owner.query<{ last: string }>(
      `select last_value::text as last from pg_sequences where schemaname = 'jobs' and sequencename = 'queue_position_seq'`,
    );
    const look = (low: string): unknown[] => [
      `{${me.deploymentId}}`,
      8,
      '{}',
      `{${me.deploymentId}}`,
      `{${me.accountId}}`,
      `{${low}}`,
    ];
    // A queued job: an account without one is skipped.
    const waiting = `update jobs.queue_depth set waiting = waiting + $1::int where account_id = $2`;
    await db.owner.query(waiting, [1, me.accountId]);
    const all = await pagesOf(knownCandidatesSql, look('0'));
    const fromThere = await pagesOf(knownCandidatesSql, look(rows[0]!.last));
    await db.owner.query(waiting, [-1, me.accountId]);
    expect(all).toBeGreaterThan(20);
    expect(fromThere).toBeLessThan(all / 2);
  });
});
