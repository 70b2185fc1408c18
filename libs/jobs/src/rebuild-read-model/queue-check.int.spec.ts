import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  someAccount,
  submitted,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { queueMismatchSql } from './queue-check.sql.js';

describe('the check of the queue and the read model', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let waiting: string;
  let running: string;

  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db, {});
    const me = someAccount();
    await submitted(one, me);
    const first = await leased(one, me);
    await submitted(one, me);
    const second = await leased(one, me);
    await one.jobs.cancel(me, second.jobId);
    const { id } = await submitted(one, me);
    [waiting, running] = [id, first.jobId];
    // From here on only the tests change anything.
    await one.close();
  });
  afterAll(async () => {
    await dropConsistent(db);
  });

  /** Findings of the check after one row of one job was changed. */
  const troubles = async (change: string, job: string): Promise<string[]> => {
    const client = await db.owner.connect();
    try {
      await client.query('begin');
      expect((await client.query(change, [job])).rowCount).toBe(1);
      return (await client.query<{ trouble: string }>(queueMismatchSql)).rows.map(({ trouble }) => trouble);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  it('finds nothing in rows that a service has written', async () => {
    const { rows } = await db.owner.query(queueMismatchSql);
    expect(rows).toEqual([]);
    const { rows: states } = await db.owner.query<{ state: string }>('select state from jobs.queue order by state');
    expect(states.map(({ state }) => state)).toEqual(['canceling', 'leased', 'queued']);
  });

  it('finds sealed credentials that outlived their job, and none of a job that waits', async () => {
    const insert = (jobId: string): string =>
      `insert into jobs.sealed_credentials select ${jobId}, 'a', substring(b for 12), substring(b for 48), substring(b for 12), b
       from (select decode(repeat('00', 60), 'hex') as b, $1::uuid) as given (b, job)`;
    expect(await troubles(insert('job'), waiting)).toEqual([]);
    const [left] = await troubles(insert('gen_random_uuid()'), waiting);
    expect(left).toMatch(/^job [0-9a-f-]{36} has ended or never was, and its sealed credentials are there$/);
  });

  it('finds a job that is not in the queue, and one that is there alone', async () => {
    expect(await troubles('delete from jobs.queue where job_id = $1', waiting)).toContain(
      `job ${waiting} is queued and its queue row absent`,
    );
    const [alone] = (await troubles('delete from jobs.job where id = $1', running)).filter((line) =>
      line.startsWith('job '),
    );
    expect(alone).toMatch(new RegExp(`^job ${running} is absent and its queue row leased at version`));
  });
});
