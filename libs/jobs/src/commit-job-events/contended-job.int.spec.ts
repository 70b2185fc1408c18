import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryConfig } from 'pg';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';

describe('a job that others change before each attempt of a change', () => {
  const me = someAccount();
  let db: TestDatabase;
  let one: OpenJobs;
  let rival: OpenJobs;
  /** Runs before each statement with which `one` would change a job. */
  let interfere: () => Promise<void> = async () => {};
  let attempts = 0;

  beforeAll(async () => {
    db = await openDatabase();
    const pool = new Proxy(db.pool(JOBS_ROLE), {
      get: (target, name) => {
        const found = Reflect.get(target, name, target) as unknown;
        if (name !== 'query') return typeof found === 'function' ? (found.bind(target) as unknown) : found;
        return async (asked: QueryConfig | string, values?: unknown[]) => {
          if (typeof asked !== 'string' && asked.text.includes('jobs.commit_changes')) {
            attempts += 1;
            await interfere();
          }
          return await target.query(asked as string, values);
        };
      },
    });
    [one, rival] = await Promise.all([openJobs({ database: { pool: () => pool } }), openJobs(db)]);
  });
  afterAll(async () => {
    await one.close();
    await rival.close();
    await dropConsistent(db);
  });

  const eventsOf = async (jobId: string): Promise<readonly string[]> =>
    (
      await db.owner.query<{ type: string }>('select type from jobs.event where stream_id = $1 order by version', [
        jobId,
      ])
    ).rows.map(({ type }) => type);

  it('is given up after five attempts, with nothing appended, and the next request succeeds', async () => {
    const { id } = await submitted(rival, me);
    const lease = await leased(rival, me);
    let outputs = 0;
    attempts = 0;
    interfere = async () => {
      outputs += 1;
      await rival.leases.ingest([
        reportOf(lease, outputs, { kind: 'output_committed', output: outputOf(`1/0/${outputs}`) }),
      ]);
    };
    await expect(one.jobs.cancel(me, id)).rejects.toThrow(
      `job ${id} was changed by others 5 times in a row; nothing was changed, and the request may be repeated`,
    );
    expect({ attempts, outputs }).toEqual({ attempts: 5, outputs: 5 });
    expect(await eventsOf(id)).toEqual([
      'JobSubmitted',
      'JobLeased',
      ...Array.from({ length: 5 }, () => 'OutputCommitted'),
    ]);

    interfere = async () => {};
    expect(valueOf(await one.jobs.cancel(me, id)).status).toBe('canceling');
  });

  it('is changed at the fifth attempt if the others stop before it', async () => {
    const { id } = await submitted(rival, me);
    const lease = await leased(rival, me);
    let outputs = 0;
    interfere = async () => {
      if (outputs === 4) return;
      outputs += 1;
      await rival.leases.ingest([
        reportOf(lease, outputs, { kind: 'output_committed', output: outputOf(`1/0/${outputs}`) }),
      ]);
    };
    expect(valueOf(await one.jobs.cancel(me, id)).status).toBe('canceling');
    expect((await eventsOf(id)).at(-1)).toBe('CancelRequested');
    interfere = async () => {};
  });
});
