import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJobEvent, formatOfJobEvent } from '@heddle/jobs-domain';
import type { TestDatabase } from '@heddle/testing-database';
import {
  dropConsistent,
  leased,
  openDatabase,
  openJobs,
  outputOf,
  progressOf,
  reportOf,
  someAccount,
  submitted,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const RUN = { startedAt: '2026-11-27T10:00:00.000Z', endedAt: '2026-11-27T10:00:01.250Z' };

describe('the run of a node that failed', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    await db.owner.query('update jobs.log_format set floor = 2');
    one = await openJobs(db);
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  /** The events of a job that failed with this report of its node. */
  async function failedWith(nodeRun?: typeof RUN | null): Promise<{ version: number; event: unknown }[]> {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    const failure = { kind: 'failed', code: 'node_execution_error', message: 'no', nodeId: '4' } as const;
    const outcome = { ...failure, classType: 'X', traceback: null, nodeRun };
    // In one commit with an event of another version.
    await one.leases.ingest([
      reportOf(lease, 1, { kind: 'output_committed', output: outputOf('4/0/0') }),
      reportOf(lease, 2, { kind: 'outcome', outcome, progress: progressOf(0.5) }),
    ]);
    const { rows } = await db.owner.query<{ type: string; schema_version: number; data: Buffer }>(
      'select type, schema_version, data from jobs.event where stream_id = $1 order by version',
      [id],
    );
    return rows.map(({ type, schema_version: version, data }) => {
      return { version, event: decodeJobEvent(type, version, data.toString()) };
    });
  }

  const failedEvent = (nodeRun: typeof RUN | null): unknown =>
    expect.objectContaining({ type: 'JobFailed', data: expect.objectContaining({ nodeRun }) as unknown });

  it('is left out while some replica may not read it', async () => {
    expect((await failedWith(RUN)).at(-1)).toEqual({ version: 1, event: failedEvent(null) });
  });

  it('is kept once every replica reads it, in a schema version of its own', async () => {
    await one.close();
    await db.owner.query(`update jobs.log_format set floor = ${formatOfJobEvent('JobFailed', 2)}`);
    one = await openJobs(db);
    const events = await failedWith(RUN);
    expect(events.at(-1)).toEqual({ version: 2, event: failedEvent(RUN) });
    expect(events.slice(0, -1).map(({ version }) => version)).toEqual(events.slice(0, -1).map(() => 1));
  });

  it.each([
    ['of an older worker', undefined],
    ['that ran no node', null],
    ['with a start that is not an instant', { startedAt: 'yesterday', endedAt: RUN.endedAt }],
  ])('is unknown after a report %s, which is stored as before', async (_, nodeRun) => {
    expect((await failedWith(nodeRun)).at(-1)).toEqual({ version: 1, event: failedEvent(null) });
  });
});
